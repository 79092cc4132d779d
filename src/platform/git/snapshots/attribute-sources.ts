import { existsSync } from "node:fs";
import { join } from "node:path";
import type { BytePath } from "../files/byte-path.ts";
import { onDisk, parentOf } from "../files/byte-path.ts";
import { kindAt } from "../files/disk-file.ts";
import type { IndexEntry } from "../index-file/parse-index.ts";
import type { WorktreeGit } from "./snapshot-scope.ts";

const NAME = ".gitattributes";

/**
 * Whether anything that belongs to the repository gives files attributes: without them no filter can run.
 *
 * Ignored and untracked ones count like all others, so every folder with a tracked file is looked into.
 */
export function hasOwnAttributes(
  { path, gitDir, commonDir }: WorktreeGit,
  entries: readonly IndexEntry[],
): boolean {
  if ([gitDir, commonDir].some((folder) => existsSync(join(folder, "info/attributes")))) return true;
  const folders = new Set<BytePath>();
  let last: BytePath | undefined;
  for (const entry of entries) {
    if (entry.path.endsWith(NAME)) return true;
    const folder = parentOf(entry.path);
    if (folder === undefined || folder === last) continue;
    last = folder;
    for (let one: BytePath | undefined = folder; one !== undefined && !folders.has(one); one = parentOf(one))
      folders.add(one);
  }
  const hasOne = (folder: BytePath): boolean => kindAt(onDisk(path, `${folder}${NAME}`)) !== "nothing";
  return hasOne("") || [...folders].some((folder) => hasOne(`${folder}/`));
}

/** The same for what the person and the machine set for all repositories. */
export function hasCommonAttributes({ env }: WorktreeGit, attributesFile: string | undefined): boolean {
  const home = env["XDG_CONFIG_HOME"] || join(env["HOME"] ?? "/", ".config");
  const usual = [join(home, "git/attributes"), ...SYSTEM];
  return attributesFile !== undefined || usual.some((path) => existsSync(path));
}

const SYSTEM = ["/etc/gitattributes", "/usr/local/etc/gitattributes", "/opt/homebrew/etc/gitattributes"];
