import type { LeftFolder, Ports } from "../../platform/ports/index.ts";
import type { Garbage } from "./garbage.ts";

/** Working folders of commands that were killed, and what was set aside after damage long ago. */
export async function findFolders(ports: Ports, beforeMs: number): Promise<readonly Garbage[]> {
  const leftovers = await ports.leftovers();
  const garbage = (folder: LeftFolder, because: string): Garbage => ({
    kind: "folder",
    name: folder.path,
    bytes: folder.bytes,
    because,
    wayBack: null,
    remove: async () => leftovers.remove(folder),
  });
  const old = leftovers.aside().filter(({ writtenAtMs }) => writtenAtMs <= beforeMs);
  // Asked only where there is something: git reads every object for the answer.
  const isNeeded = old.length > 0 && (await (await ports.damage()).neededAside()).length > 0;
  return [
    ...leftovers.scratch().map((folder) => garbage(folder, "the command that made it is gone")),
    ...(isNeeded ? [] : old.map((folder) => garbage(folder, "nothing leads to what was set aside there"))),
  ];
}
