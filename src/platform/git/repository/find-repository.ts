import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../../domain/index.ts";
import type { Repository } from "../../ports/index.ts";
import { discoverGit, type Discovery, mainWorktreeOf } from "./discover-git.ts";
import type { Environment } from "../process/git-environment.ts";
import { readDotGit } from "./git-directory.ts";
import { cacheWorktree } from "./cache-worktree.ts";
import { resolveWorktree } from "./resolve-worktree.ts";
import { ownerProblem } from "./trusted-owner.ts";

/**
 * Finds the repository that a folder is in, without starting git.
 *
 * Every `GIT_*` variable is ignored on purpose: a verb called from a hook must find the repository it stands in, not
 * the one whose hook it is. `env` is read only for the user behind sudo, and to ask git about a foreign owner.
 */
export function findRepository(
  cwd: string,
  uid: number | undefined,
  env: Environment = process.env,
): Repository {
  const start = canonicalFolder(cwd);
  const discover = knownForNow(start, discoverGit(start));
  const discovery = discover(start);
  if (discovery.found === undefined) throw notFound(cwd, discovery.problem);
  const { found } = discovery;
  const asker = { uid, env };
  const distrust = ownerProblem(start, found.owned, asker);
  if (distrust !== undefined) {
    throw notFound(cwd, `Git refuses the repository at ${start}: ${distrust}.`, TRUST_HINT);
  }
  const { gitDir, commonDir, folder, worktree } = found;
  const isMain = gitDir === commonDir && folder !== undefined;
  return {
    commonDir,
    topLevel: worktree,
    mainTopLevel: isMain ? worktree : mainWorktreeOf(commonDir),
    worktree: cacheWorktree({
      base: start,
      commonDir,
      resolve: (path) => resolveWorktree({ path, base: start, commonDir, asker, discover }),
    }),
    isOfAnother(path) {
      const dotGit = readDotGit(join(path, ".git"));
      return (dotGit.kind === "directory" || dotGit.kind === "file") && dotGit.git.commonDir !== commonDir;
    },
  };
}

/**
 * What was just discovered is not discovered again: nearly every worker stands in the worktree that it names, and names
 * it at once. Later it is read anew, because programs that stay see worktrees come and go.
 */
function knownForNow(start: string, discovery: Discovery): (folder: string) => Discovery {
  const at = Date.now();
  return (folder) =>
    folder === start && Math.abs(Date.now() - at) < NOW_MS ? discovery : discoverGit(folder);
}

/** Too short for a change right after the read to be noticed. */
const NOW_MS = 20;

/** Trust is for a person to give: the hint names no command, because agents run what hints name. */
const TRUST_HINT =
  "Ask the person in charge whether this repository may be trusted; git's safe.directory decides.";

function canonicalFolder(cwd: string): string {
  try {
    const path = realpathSync.native(cwd);
    if (statSync(path).isDirectory()) return path;
  } catch (cause) {
    throw new Failure("repository/not-found", `The folder ${cwd} cannot be entered.`, { cwd }, { cause });
  }
  throw notFound(cwd, `${cwd} is not a folder.`);
}

const notFound = (cwd: string, message: string, hint?: string): Failure =>
  new Failure("repository/not-found", message, { cwd }, hint === undefined ? {} : { hint });
