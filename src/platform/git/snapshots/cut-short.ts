import * as fs from "node:fs";
import { join } from "node:path";
import { nodeCrypto, syncPaths } from "../../index.ts";
import type { KnownTree } from "../../ports/index.ts";
import { foldersAbove, onDisk, parentOf, toBytes, type BytePath } from "../files/byte-path.ts";
import { recordsOf } from "../process/git-output.ts";
import { unlessStopped } from "../process/run-git.ts";
import { kindReader, MODES, type Version } from "../files/disk-file.ts";
import { isCutShort } from "./is-cut-short.ts";
import type { WorktreeGit } from "./snapshot-scope.ts";
import { putFiles } from "./put-files.ts";
import { filesOf } from "../files/diff-trees.ts";

/** A file that lost its end, and a copy of what it is known to have held. */
export interface CutFile {
  readonly path: BytePath;
  readonly copy: Buffer;
}

export interface CutSearch {
  readonly place: WorktreeGit;
  /** Each path counts in the first of them that has it. */
  readonly known: readonly KnownTree[];
  readonly evenShorter: boolean;
  readonly scratch: string;
}

/**
 * Finds files that a power cut has cut short, by comparing those that changed with what they are known to have held.
 *
 * A file system may keep a new file's name and lose its bytes. Taken for a change, that would be committed as the
 * emptying of a file.
 */
export async function findCutShort({
  place,
  known,
  evenShorter,
  scratch,
}: CutSearch): Promise<readonly CutFile[]> {
  const look = kindReader(place.path);
  const seen = new Set<BytePath>();
  const found: CutFile[] = [];
  for (const [at, source] of known.entries()) {
    // The tree of a checkpoint is held by no ref, and may be collected.
    const listed = await filesOf(place.run, source.tree).catch(unlessStopped([]));
    if (listed.length === 0) continue;
    const files = new Map(listed.map((file) => [file.path, file]));
    const changed = (await changedSince(place, source.tree)).filter(
      (path) => !seen.has(path) && isPlain(files.get(path)) && /^(?:file|executable)$/.test(look(path)),
    );
    for (const { path, oid } of listed)
      if (source.mayHoldLosses !== true || !EMPTY_BLOBS.has(oid)) seen.add(path);
    if (changed.length === 0) continue;
    const folder = join(scratch, `known-${at}`);
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const versions = changed.map((path) => files.get(path)!);
    await (source.isSnapshot ? writeAsSaved : writeAsCheckedOut)(
      place,
      { ...source, folder, scratch },
      versions,
    );
    for (const path of changed) {
      const copy = onDisk(folder, path);
      if (isCutShort(onDisk(place.path, path), copy, { evenShorter })) found.push({ path, copy });
    }
  }
  return found;
}

/** The names of a file without content, by SHA-1 and SHA-256. */
const EMPTY_BLOBS: ReadonlySet<string> = new Set([
  "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
  "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
]);

const isPlain = (version: Version | undefined): boolean =>
  version?.mode === MODES.file || version?.mode === MODES.executable;

/** Also files that no index knows: they count as gone from it. */
const changedSince = ({ run }: WorktreeGit, tree: string): Promise<readonly BytePath[]> =>
  recordsOf(run, {
    args: ["diff-index", "--name-only", "-z", "--no-renames", "--ignore-submodules=all", tree, "--"],
    access: "read",
  });

interface Copying extends KnownTree {
  readonly folder: string;
  readonly scratch: string;
}

type File = Version & { readonly path: BytePath };

/** A snapshot holds the bytes that were on disk. */
async function writeAsSaved(
  { run }: WorktreeGit,
  { folder }: Copying,
  files: readonly File[],
): Promise<void> {
  const changes = files.map(({ path, mode, oid }) => ({ path, from: undefined, to: { mode, oid } }));
  await putFiles(run, folder, changes, { fsync: false, over: true, permissions: new Map() });
}

/** Any other tree holds what filters made of them, so git writes them as it would into the worktree. */
async function writeAsCheckedOut(
  { run, path }: WorktreeGit,
  { folder, scratch, tree }: Copying,
  files: readonly File[],
): Promise<void> {
  const indexFile = join(scratch, "known-index");
  fs.rmSync(indexFile, { force: true });
  await run({ args: ["read-tree", tree], access: "keep", indexFile, fsync: "none" });
  await run({
    args: ["checkout-index", "--quiet", `--prefix=${folder}/`, "-z", "--stdin"],
    access: "write",
    worktree: path,
    indexFile,
    fsync: "none",
    input: Buffer.concat(files.map((file) => Buffer.concat([toBytes(file.path), Buffer.from("\0")]))),
  });
}

/** Puts the copies in their places, each whole. A file that was written to since is its writer's, and stays. */
export async function putBackWhole(
  { path: root }: WorktreeGit,
  files: readonly CutFile[],
  evenShorter: boolean,
): Promise<readonly BytePath[]> {
  const put: BytePath[] = [];
  for (const { path, copy } of files) {
    const target = onDisk(root, path);
    if (!isCutShort(target, copy, { evenShorter })) continue;
    const parent = parentOf(path);
    const name = `.pawl-${nodeCrypto().randomBytes(6).toString("hex")}`;
    const aside = onDisk(root, parent === undefined ? name : `${parent}/${name}`);
    fs.copyFileSync(copy, aside, fs.constants.COPYFILE_EXCL);
    fs.chmodSync(aside, fs.statSync(target).mode & 0o7777);
    await syncPaths(root, [aside]);
    fs.renameSync(aside, target);
    put.push(path);
  }
  const folders = new Set(put.flatMap((path) => foldersAbove(path)));
  if (put.length > 0) await syncPaths(root, [root, ...[...folders].map((folder) => onDisk(root, folder))]);
  return put;
}
