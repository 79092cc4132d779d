import { readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Failure, MAIN_ID, shellWord } from "../../../domain/index.ts";
import type { Worktree } from "../../ports/index.ts";
import type { Discovered, Discovery } from "./discover-git.ts";
import { pathFrom } from "./git-directory.ts";
import { ownerProblem, type Asker } from "./trusted-owner.ts";
import { idOfEntry } from "./worktree-id.ts";

export interface WorktreeQuestion {
  readonly path: string;
  /** What a relative path is relative to; canonical. */
  readonly base: string;
  readonly commonDir: string;
  readonly asker: Asker;
  readonly discover: (folder: string) => Discovery;
}

/**
 * One worktree for every way to write its path, or the exact reason why it is none.
 *
 * Existing is not enough: in a plain folder inside the repository git silently works on the checkout around it, and a
 * copy of a linked worktree shares the original's index. So the folder must hold the `.git` itself, and the entry
 * that git keeps of a linked worktree must point back to it.
 */
export function resolveWorktree(question: WorktreeQuestion): Worktree {
  const { path, base, commonDir, asker, discover } = question;
  const folder = canonicalFolder(path, base);
  const discovery = discover(folder);
  if (discovery.found === undefined) throw refused(path, discovery.problem);
  const { found } = discovery;
  if (found.folder !== folder) {
    const around = found.commonDir === commonDir ? found.folder : undefined;
    const hint =
      around === undefined ? undefined : `Name the worktree itself: --worktree ${shellWord(around)}`;
    throw refused(path, describeSurroundings(path, found, commonDir), { hint });
  }
  if (found.commonDir !== commonDir) {
    throw refused(path, `${path} belongs to another repository, ${found.commonDir}.`);
  }
  const elsewhere = found.gitDir === commonDir ? undefined : misplacedEntry(found.gitDir, commonDir, folder);
  if (elsewhere !== undefined) throw refused(path, `${path} is not a worktree: ${elsewhere}.`);
  if (found.worktree === undefined) {
    throw refused(
      path,
      `${path} holds a repository, but git's core.bare or core.worktree says it is no worktree.`,
    );
  }
  const distrust = ownerProblem(folder, found.owned, asker);
  if (distrust !== undefined) throw refused(path, `Git refuses the worktree ${path}: ${distrust}.`);
  return { path: folder, id: found.gitDir === commonDir ? MAIN_ID : idOfEntry(found.gitDir) };
}

/** Text as given, not normalised, so that `..` behind a symlink means what it means to the kernel and to git. */
function canonicalFolder(path: string, base: string): string {
  if (path === "" || path.includes("\0")) {
    throw refused(path, "The path of the worktree is empty or holds a NUL character.");
  }
  let folder: string;
  try {
    folder = realpathSync.native(pathFrom(base, path));
  } catch (cause) {
    const missing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    throw refused(path, missing ? `${path} does not exist.` : `${path} cannot be reached.`, { cause });
  }
  if (!statSync(folder).isDirectory()) throw refused(path, `${path} is not a folder.`);
  return folder;
}

function describeSurroundings(path: string, found: Discovered, commonDir: string): string {
  if (found.folder === undefined) return `${path} lies inside the git directory ${found.gitDir}.`;
  const around = found.commonDir === commonDir ? "the worktree" : "another repository,";
  return `${path} is a plain folder inside ${around} ${found.folder}; git would work there instead.`;
}

/** What is wrong with the entry that git keeps of a linked worktree, undefined when it points back to the folder. */
function misplacedEntry(gitDir: string, commonDir: string, folder: string): string | undefined {
  if (dirname(gitDir) !== join(commonDir, "worktrees"))
    return `its git directory ${gitDir} is not git's entry of a worktree`;
  let target: string;
  try {
    target = readFileSync(join(gitDir, "gitdir"), "utf8").trimEnd();
  } catch {
    return `its administrative entry ${gitDir} does not say where it is`;
  }
  const expected = `its administrative entry ${gitDir} points to ${dirname(target)}`;
  try {
    const dotGit = pathFrom(gitDir, target);
    return realpathSync.native(dirname(dotGit)) === folder && basename(dotGit) === ".git"
      ? undefined
      : expected;
  } catch {
    return `${expected}, which does not exist`;
  }
}

const refused = (
  path: string,
  message: string,
  { cause, hint }: { readonly cause?: unknown; readonly hint?: string | undefined } = {},
): Failure =>
  new Failure("worktree/not-found", message, { worktree: path }, { cause, ...(hint ? { hint } : {}) });
