import { copyFileSync, existsSync, mkdirSync, renameSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Beside git's own folders, and not where the state is: that may be another disk, and a rename must do. */
export const asideFolder = (commonDir: string): string => join(commonDir, "pawl-damaged");

/** Moves a damaged file out of git's sight, under the path it had. */
export function putAside(commonDir: string, path: string, how: "move" | "copy" = "move"): void {
  const to = freeName(join(asideFolder(commonDir), relative(commonDir, path)));
  mkdirSync(dirname(to), { recursive: true });
  if (how === "copy") copyFileSync(path, to);
  else renameSync(path, to);
}

export const isAside = (commonDir: string, id: string): boolean =>
  existsSync(join(asideFolder(commonDir), "objects", id.slice(0, 2), id.slice(2)));

function freeName(path: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? path : `${path}.${number}`;
    if (!existsSync(name)) return name;
  }
}
