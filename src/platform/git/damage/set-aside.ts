import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Beside git's own folders, and not where the state is: that may be another disk, and a rename must do. */
export const asideFolder = (commonDir: string): string => join(commonDir, "pawl-damaged");

/** Moves a damaged file out of git's sight, under the path it had. */
export function setAside(commonDir: string, path: string, how: "move" | "copy" = "move"): void {
  const to = freeName(join(asideFolder(commonDir), relative(commonDir, path)));
  mkdirSync(dirname(to), { recursive: true });
  if (how === "copy") copyFileSync(path, to);
  else renameSync(path, to);
}

/** The names of the objects that were moved aside. */
export function setAsideIds(commonDir: string): readonly string[] {
  const folder = join(asideFolder(commonDir), "objects");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((start) => readdirSync(join(folder, start)).map((end) => `${start}${end}`))
    .filter((id) => /^[0-9a-f]+$/.test(id));
}

function freeName(path: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? path : `${path}.${number}`;
    if (!existsSync(name)) return name;
  }
}
