import * as fs from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { Failure } from "../../../domain/index.ts";
import { syncPaths, syncTrees } from "../../index.ts";
import { openGitDirectory } from "../repository/git-directory.ts";
import type { Environment } from "../process/git-environment.ts";
import { gitRunner, type RunGit } from "../process/run-git.ts";
import { onDisk, type BytePath } from "../files/byte-path.ts";
import { filesBelow, isVersion, kindAt, SUBMODULE, type Version } from "../files/disk-file.ts";
import { SNAPSHOT_TIMEOUT_MS } from "./snapshot-scope.ts";
import { makeFolder, putFiles } from "./put-files.ts";
import { filesOf } from "../files/diff-trees.ts";
import { readSnapshotParts } from "./saved-state.ts";
import type { InnerSnapshot } from "./write-snapshot.ts";

export interface RestoreToRequest {
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
 * After a kill the same call continues with what it finds there; a folder that holds exactly these files is its own.
 */
export async function restoreTo(request: RestoreToRequest, folder: string): Promise<void> {
  const target = resolve(folder);
  const parts = await partsOf(request);
  if (isTaken(target)) {
    if (isCopy(target, parts)) return;
    throw taken(target);
  }
  const unfinished = join(dirname(target), `.${basename(target)}.pawl-${request.commit.slice(0, 12)}`);
  fs.mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  for (const part of parts) await putPart(unfinished, part);
  // Under its name the folder counts as whole, and the snapshot may be dropped.
  await syncTrees([unfinished]);
  try {
    fs.chmodSync(unfinished, 0o777 & ~process.umask());
    fs.renameSync(unfinished, target);
    await syncPaths(dirname(target), [dirname(target)]);
  } catch (error) {
    throw isTaken(target) ? taken(target) : error;
  }
}

function isTaken(target: string): boolean {
  const stat = fs.lstatSync(target, { throwIfNoEntry: false });
  return stat !== undefined && !(stat.isDirectory() && fs.readdirSync(target).length === 0);
}

const taken = (target: string): Failure =>
  new Failure("file/exists", `${target} is there already and not an empty folder.`, { path: target });

/** The files of one repository: those of the snapshot itself, or of a repository inside. */
interface Part {
  readonly run: RunGit;
  /** Empty for the snapshot itself. */
  readonly folder: BytePath;
  readonly files: readonly (Version & { readonly path: BytePath })[];
  readonly permissions: ReadonlyMap<BytePath, number>;
}

async function partsOf(request: RestoreToRequest, folder: BytePath = ""): Promise<readonly Part[]> {
  const { run, commit } = request;
  const saved = await readSnapshotParts(run, commit);
  const files = await filesOf(run, commit);
  const parts: Part[] = [{ run, folder, files, permissions: await saved.permissions() }];
  for (const inner of await saved.inner()) {
    const inside = { ...request, run: innerGit(request, inner), commit: inner.commit };
    parts.push(...(await partsOf(inside, below(folder, inner.path))));
  }
  return parts;
}

const below = (folder: BytePath, path: BytePath): BytePath => (folder === "" ? path : `${folder}/${path}`);

/** Whatever an earlier attempt wrote is written again over itself. */
async function putPart(root: string, { run, folder, files, permissions }: Part): Promise<void> {
  if (folder !== "") makeFolder(root, folder);
  const changes = files.map(({ path, mode, oid }) => ({ path, from: undefined, to: { mode, oid } }));
  const place = folder === "" ? root : onDisk(root, folder).toString("utf8");
  await putFiles(run, place, changes, { fsync: false, over: true, permissions });
}

/** Whether a folder holds these files and no others, byte for byte. */
function isCopy(root: string, parts: readonly Part[]): boolean {
  if (kindAt(Buffer.from(root)) !== "folder") return false;
  const wanted = new Map(
    parts.flatMap(({ folder, files }) =>
      files.filter(({ mode }) => mode !== SUBMODULE).map((file) => [below(folder, file.path), file]),
    ),
  );
  let isOther = false;
  for (const [path, kind] of filesBelow(root, "", () => (isOther = true))) {
    const file = wanted.get(path.slice(1));
    if (file === undefined || !isVersion(root, path, kind, file)) return false;
    wanted.delete(path.slice(1));
  }
  return !isOther && wanted.size === 0;
}

/** The repository may name any folder; only those are read that belong to the worktree or its repository. */
function innerGit({ env, trusted }: RestoreToRequest, { gitDir, path }: InnerSnapshot): RunGit {
  const found = openGitDirectory(gitDir);
  if (found === undefined || !trusted.some((folder) => found.gitDir.startsWith(`${folder}${sep}`))) {
    const message = `The repository inside, ${path}, is gone: ${gitDir} kept its part of the snapshot.`;
    throw new Failure("snapshot/incomplete", message, { path, git_dir: gitDir });
  }
  return gitRunner({ gitDir: found.gitDir, env, timeoutMs: SNAPSHOT_TIMEOUT_MS });
}
