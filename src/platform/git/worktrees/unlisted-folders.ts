import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ListedWorktree, UnlistedFolder } from "../../ports/index.ts";
import { readDotGit } from "../repository/git-directory.ts";
import { CHECK_PREFIX } from "./clean-checkout.ts";
import { RESCUED } from "./move-aside.ts";

/** Folders among Pawl's worktrees that are none: an agent sent there would work on the checkout around them. */
export function findUnlisted(
  folder: string,
  commonDir: string,
  listed: readonly ListedWorktree[],
): readonly UnlistedFolder[] {
  if (!existsSync(folder)) return [];
  const known = new Set(listed.map(({ path }) => path));
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !isCheckout(entry.name) && !known.has(join(folder, entry.name)))
    .map((entry) => ({ path: join(folder, entry.name), kind: kindOf(join(folder, entry.name), commonDir) }));
}

const isCheckout = (name: string): boolean => name.startsWith(CHECK_PREFIX) && !RESCUED.test(name);

function kindOf(path: string, commonDir: string): UnlistedFolder["kind"] {
  const dotGit = readDotGit(join(path, ".git"));
  if (dotGit.kind === "absent") return RESCUED.test(path) ? "rescued" : "plain-folder";
  if (dotGit.kind === "broken") return "unlisted";
  return dotGit.git.commonDir === commonDir ? "unlisted" : "other-repository";
}
