import { lstatSync } from "node:fs";
import { join, sep } from "node:path";
import { Failure } from "../../../domain/index.ts";
import type { Environment } from "../process/git-environment.ts";
import { readDotGit, type GitDirectory } from "../repository/git-directory.ts";
import { gitRunner, type RunGit } from "../process/run-git.ts";

/** One worktree and git in it. */
export interface WorktreeGit extends GitDirectory {
  /** Top level of the worktree. */
  readonly path: string;
  readonly env: Environment;
  readonly run: RunGit;
}

export function openWorktree(path: string, env: Environment): WorktreeGit {
  const dotGit = readDotGit(join(path, ".git"));
  if (dotGit.kind === "absent" || dotGit.kind === "broken") {
    const why = dotGit.kind === "broken" ? dotGit.problem : `${path} holds no .git`;
    throw new Failure("worktree/not-found", `${why}.`, { worktree: path });
  }
  const { gitDir, commonDir } = dotGit.git;
  return {
    path,
    env,
    gitDir,
    commonDir,
    run: gitRunner({ gitDir, workTree: path, env, timeoutMs: SNAPSHOT_TIMEOUT_MS }),
  };
}

/** A tree of many gigabytes takes as long as it takes. */
export const SNAPSHOT_TIMEOUT_MS = 3_600_000;

/** What stands at a folder inside a worktree: nothing of git's, a repository that belongs to it, or another one. */
export type Inner =
  | { readonly kind: "plain" }
  | { readonly kind: "foreign" }
  | { readonly kind: "own"; readonly place: WorktreeGit };

/**
 * A `.git` in a subfolder may point to any repository of this machine, and keeping work there would write to it. So it
 * counts only when its git directory lies in the folder itself or in that of the worktree around it.
 */
export function innerRepository(outer: WorktreeGit, path: string): Inner {
  const dotGit = join(path, ".git");
  if (lstatSync(dotGit, { throwIfNoEntry: false }) === undefined) return { kind: "plain" };
  const found = readDotGit(dotGit);
  if (found.kind !== "directory" && found.kind !== "file") return { kind: "foreign" };
  const { gitDir, commonDir } = found.git;
  const isOurs = [path, outer.gitDir, outer.commonDir].some((folder) =>
    commonDir.startsWith(`${folder}${sep}`),
  );
  const isWhole = gitDir === commonDir;
  return isOurs && isWhole ? { kind: "own", place: openWorktree(path, outer.env) } : { kind: "foreign" };
}
