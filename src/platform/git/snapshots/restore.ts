import { join } from "node:path";
import { Failure } from "../../../domain/index.ts";
import type { Snapshot } from "../../ports/index.ts";
import { syncPaths } from "../../index.ts";
import { foldersAbove, onDisk, shown, type BytePath } from "../files/byte-path.ts";
import { replacedFiles, spareIgnored } from "./replaced-files.ts";
import { isIndexPart, readOperation } from "./operation-state.ts";
import { innerRepository, type WorktreeGit } from "./snapshot-scope.ts";
import { putFile, putFiles, removeFile } from "./put-files.ts";
import { putIndex } from "../index-file/copy-index.ts";
import { diffTrees, type FileChange } from "../files/diff-trees.ts";
import { readSnapshotParts } from "./saved-state.ts";
import { isClean, scan, type Scan } from "./scan.ts";
import { readMessage } from "./snapshot-message.ts";
import { keepScan, writeOnly, type SnapshotLabel } from "./take.ts";
import type { InnerSnapshot } from "./write-snapshot.ts";

export interface RestoreRequest {
  readonly place: WorktreeGit;
  readonly commit: string;
  readonly filesOnly: boolean;
  readonly label: SnapshotLabel;
  readonly scratch: string;
}

/**
 * Brings a worktree back to a snapshot: its files, its index, what git was in the middle of, and the repositories
 * inside it.
 *
 * First everything is compared and everything that would go is kept; then the files move, the index, and the state, in
 * an order in which each can be done again. Nothing is remembered between two calls: after a kill the same call finds
 * what is left to do by looking.
 */
export async function restoreInPlace(request: RestoreRequest): Promise<Snapshot | undefined> {
  const levels = await prepare(request, request.scratch);
  for (const level of levels) await refuseOther(level);
  const changes: (readonly FileChange[])[] = [];
  for (const level of levels) changes.push(await changesOf(level));
  const before = await keepAll(levels);
  for (const [at, { request: one }] of levels.entries()) {
    const permissions = await (await readSnapshotParts(one.place.run, one.commit)).permissions();
    await putFiles(one.place.run, one.place.path, changes[at]!, { fsync: true, permissions });
    await syncFolders(one.place.path, changes[at]!);
    if (!one.filesOnly) await putRest(one);
  }
  return before;
}

/** The files are flushed one by one as they are put there; their names are not. */
const syncFolders = (root: string, changes: readonly FileChange[]): Promise<void> =>
  syncPaths(root, [
    root,
    ...[...new Set(changes.flatMap(({ path }) => foldersAbove(path)))].map((folder) => onDisk(root, folder)),
  ]);

/** The worktree, or a repository inside it. */
interface Level {
  readonly request: RestoreRequest;
  readonly found: Scan;
  readonly scratch: string;
  /** The scan above does not hold this one: it is kept on its own. */
  readonly isApart: boolean;
  /** Repositories of the snapshot that are not here any more. */
  readonly gone: readonly InnerSnapshot[];
}

/** The worktree, and every repository inside it that the snapshot has and that is still there. */
async function prepare(request: RestoreRequest, scratch: string, known?: Scan): Promise<readonly Level[]> {
  const { place, commit } = request;
  const found = known ?? (await scan(place, { scratch, ignored: false }));
  const saved = await (await readSnapshotParts(place.run, commit)).inner();
  const gone = saved.filter(({ path }) => innerPlace(place, path) === undefined);
  const levels: Level[] = [{ request, found, scratch, isApart: known === undefined, gone }];
  for (const [at, { path, commit: inner }] of saved.entries()) {
    const inside = innerPlace(place, path);
    if (inside === undefined) continue;
    const seen = found.inner.find((one) => one.path === path)?.scan;
    levels.push(
      ...(await prepare({ ...request, place: inside, commit: inner }, `${scratch}/saved-${at}`, seen)),
    );
  }
  return levels;
}

/** Keeps what the restore would replace. The answer is the snapshot of the worktree itself. */
async function keepAll(levels: readonly Level[]): Promise<Snapshot | undefined> {
  let before: Snapshot | undefined;
  for (const [at, { request, found, scratch, isApart }] of levels.entries()) {
    const covered = at === 0 ? levels.filter((level, index) => index === 0 || !level.isApart) : [levels[at]!];
    if (!isApart || !covered.some(hasSomething)) continue;
    const kept = await keepScan(found, `${scratch}/kept`, request.label);
    if (at === 0) before = kept;
  }
  return before;
}

/** State files that git forgot to remove make nothing dirty, but they would be replaced. */
const hasSomething = ({ found }: Level): boolean => !isClean(found) || found.state.files.length > 0;

function innerPlace(place: WorktreeGit, path: BytePath): WorktreeGit | undefined {
  const inside = innerRepository(place, onDisk(place.path, path).toString("utf8"));
  return inside.kind === "own" ? inside.place : undefined;
}

async function told({ place, commit }: RestoreRequest) {
  const args = ["log", "-1", "--no-show-signature", "--encoding=UTF-8", "--format=%B", commit, "--"];
  const answer = readMessage(await place.run({ args, access: "read" }));
  if (answer === undefined)
    throw new Failure("snapshot/not-found", `${commit} is not a snapshot.`, { snapshot: commit });
  return answer;
}

/** An index belongs to a commit, and half a rebase to a HEAD that is on no branch. */
async function refuseOther({ request, found, gone: [gone] }: Level): Promise<void> {
  const { filesOnly, place } = request;
  if (filesOnly) return;
  const saved = await told(request);
  const isElsewhere =
    found.head !== saved.head || (saved.operation !== undefined && found.branch !== saved.branch);
  if (!isElsewhere && gone === undefined) return;
  const here = `${found.head ?? "no commit yet"} on ${found.branch ?? "no branch"}`;
  const there = `${saved.head ?? "no commit yet"} on ${saved.branch ?? "no branch"}`;
  const message =
    gone === undefined
      ? `${place.path} is at ${here}; the snapshot was taken at ${there}.`
      : `${place.path} has no repository at ${shown(gone.path)}; the snapshot has one.`;
  throw new Failure("snapshot/other-head", message, {
    worktree: place.path,
    head: found.head ?? null,
    snapshot_head: saved.head ?? null,
  });
}

const MAX_LOOKS = 3;

/** What must change on disk. Unknown files in the way join the scan, so that they are kept too. */
async function changesOf({ request, found, scratch }: Level): Promise<readonly FileChange[]> {
  const { place, commit, label } = request;
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    const now = await writeOnly(found, join(scratch, `look-${looks}`), label);
    const changes = await diffTrees(place.run, now, commit);
    const unknown = replacedFiles(place.path, changes);
    if (unknown.size === 0) return spareIgnored(place, commit, changes, join(scratch, `spare-${looks}`));
    for (const [path, kind] of unknown) {
      found.present.set(path, kind);
      found.removed.delete(path);
      found.dirty.add(path);
    }
  }
  throw new Failure("snapshot/unstable", `Files in ${place.path} appear while it is being restored.`, {
    worktree: place.path,
  });
}

async function putRest(request: RestoreRequest): Promise<void> {
  const { place, commit } = request;
  const { indexWrittenAtUs: writtenAtUs = 0 } = await told(request);
  const saved = await readSnapshotParts(place.run, commit);
  const wanted = await saved.state();
  for (const { path, bytes } of wanted) putFile(place.gitDir, path, bytes);
  const bytes = await saved.index();
  if (bytes !== undefined) await putIndex(place.gitDir, { bytes, writtenAtUs });
  const kept = new Set(wanted.map(({ path }) => path));
  for (const { path } of readOperation(place.gitDir).files)
    if (!kept.has(path) && !isIndexPart(path)) removeFile(place.gitDir, path);
  await syncPaths(place.gitDir, [place.gitDir]);
}
