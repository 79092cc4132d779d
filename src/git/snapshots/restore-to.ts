import * as fs from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { Failure } from "../../domain/errors.ts";
import { openGitDirectory } from "../git-directory.ts";
import type { Environment } from "../git-environment.ts";
import { gitRunner, type RunGit } from "../run-git.ts";
import { onDisk } from "./byte-path.ts";
import { LONG_MS } from "./place.ts";
import { makeFolder, putFiles } from "./put-files.ts";
import { filesOf } from "./raw-diff.ts";
import { savedState } from "./saved-state.ts";
import type { InnerSnapshot } from "./write-snapshot.ts";

export interface CopyRequest {
  readonly run: RunGit;
  readonly env: Environment;
  readonly commit: string;
  /** Folders in which the git directories of inner repositories may lie. */
  readonly trusted: readonly string[];
}

/**
 * Writes all files of a snapshot into a folder that does not exist yet, or is empty.
 *
 * They are put together beside it under a name that tells the snapshot, and the folder appears at the end, whole.
 * After a kill the same call goes on with what it finds there.
 */
export async function restoreTo(request: CopyRequest, folder: string): Promise<void> {
  const target = resolve(folder);
  refuseFull(target);
  const unfinished = join(dirname(target), `.${basename(target)}.pawl-${request.commit.slice(0, 12)}`);
  fs.mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  await copyFiles(request, unfinished);
  try {
    fs.chmodSync(unfinished, 0o777 & ~process.umask());
    fs.renameSync(unfinished, target);
  } catch (error) {
    refuseFull(target);
    throw error;
  }
}

function refuseFull(target: string): void {
  const stat = fs.lstatSync(target, { throwIfNoEntry: false });
  if (stat === undefined || (stat.isDirectory() && fs.readdirSync(target).length === 0)) return;
  throw new Failure("file/exists", `${target} is there already and not an empty folder.`, { path: target });
}

async function copyFiles(request: CopyRequest, root: string): Promise<void> {
  const { run, commit } = request;
  const files = await filesOf(run, commit);
  // Whatever an earlier attempt wrote is written again over itself.
  const changes = files.map(({ path, mode, oid }) => ({ path, from: undefined, to: { mode, oid } }));
  await putFiles(run, root, changes, { fsync: false, over: true });
  for (const inner of await (await savedState(run, commit)).inner()) {
    makeFolder(root, inner.path);
    const inside = { ...request, run: innerGit(request, inner), commit: inner.commit };
    await copyFiles(inside, onDisk(root, inner.path).toString("utf8"));
  }
}

/** The repository may name any folder; only those are read that belong to the worktree or its repository. */
function innerGit({ env, trusted }: CopyRequest, { gitDir, path }: InnerSnapshot): RunGit {
  const found = openGitDirectory(gitDir);
  if (found === undefined || !trusted.some((folder) => found.gitDir.startsWith(`${folder}${sep}`))) {
    const message = `The repository inside, ${path}, is gone: ${gitDir} kept its part of the snapshot.`;
    throw new Failure("snapshot/incomplete", message, { path, git_dir: gitDir });
  }
  return gitRunner({ gitDir: found.gitDir, env, timeoutMs: LONG_MS });
}
