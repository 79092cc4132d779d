import type { Ports } from "../../platform/ports/index.ts";
import type { Garbage } from "./garbage.ts";

/** Working folders of commands that were killed. */
export async function findFolders(ports: Ports): Promise<readonly Garbage[]> {
  const leftovers = await ports.leftovers();
  return leftovers.scratch().map((folder) => ({
    kind: "folder",
    name: folder.path,
    bytes: folder.bytes,
    because: "the command that made it is gone",
    wayBack: null,
    remove: async () => leftovers.remove(folder),
  }));
}
