import * as fs from "node:fs";
import { join } from "node:path";
import { syncPaths } from "../../index.ts";
import type { RunGit } from "../process/run-git.ts";
import { gitRunner } from "../process/run-git.ts";
import { flushCommits } from "../objects/flush-objects.ts";
import { flushRef } from "../refs/flush-ref.ts";
import { onDisk, type BytePath } from "../files/byte-path.ts";
import { MODES, readWhole, statOf, SUBMODULE, type DiskBytes } from "../files/disk-file.ts";
import { SNAPSHOT_TIMEOUT_MS } from "./snapshot-scope.ts";
import type { Scan } from "./scan.ts";

/** Where the parts of the second parent's tree are. */
export const INDEX = "index";
export const STATE = "state/";
export const REPOSITORIES = "repositories.json";
export const PERMISSIONS_FILE = "permissions.json";

/** A repository inside the worktree, and the snapshot that was taken in it. */
export interface InnerSnapshot {
  /** Path in the worktree, as bytes in latin1. */
  readonly path: BytePath;
  readonly gitDir: string;
  readonly head: string | undefined;
  readonly ref: string;
  readonly commit: string;
}

export interface SnapshotContent {
  readonly message: string;
  readonly takenAtMs: number;
  readonly inner: readonly InnerSnapshot[];
  /** A ref that must not exist, made with the commit; without one nothing will hold on to it. */
  readonly ref?: string;
}

/**
 * Writes a scan as a commit and gives its name.
 *
 * Its tree is the worktree, byte for byte, so `git diff`, `git show` and `git checkout` of single files work on it. Its
 * parents are the commit that was checked out, and a second commit with the rest: index, blobs that only the index
 * names, what git was in the middle of. All of it and the ref are one call of fast-import: one pack, then the ref, or
 * nothing. It runs in a git directory of ours, so that what it leaves behind when it is killed is in no one's way.
 */
export async function writeSnapshot(scan: Scan, scratch: string, writing: SnapshotContent): Promise<string> {
  const { message, takenAtMs, inner, ref } = writing;
  const run = ref === undefined ? borrowingGit(scan, scratch) : sharingGit(scan, scratch);
  const held = await existing(scan.place.run, [...scan.staged, ...scan.state.names]);
  const seconds = Math.floor(takenAtMs / 1000);
  const { commonDir, run: ask } = scan.place;
  // What it builds on may be an agent's, and on no disk yet.
  if (ref !== undefined)
    await flushCommits(ask, commonDir, scan.head === undefined ? [] : [scan.head], [...held.keys()]);
  const answer = await run({
    args: FAST_IMPORT,
    access: "keep",
    fsync: ref === undefined ? "objects,derived-metadata" : "all",
    config: QUICK,
    input: stream(scan, held, { message, inner, seconds, ref: ref ?? NO_REF }),
  });
  if (ref !== undefined) {
    await syncPaths(commonDir, [join(commonDir, "objects", "pack")]);
    await flushRef(commonDir, ref);
  }
  return answer.trim();
}

/** Of the borrowing git directory, which goes with it. */
const NO_REF = "refs/heads/snapshot";

const FAST_IMPORT = ["fast-import", "--quiet", "--done"];
// One pack whatever its size; most of an index are names of objects, which no compression makes smaller.
const QUICK = new Map([
  ["fastimport.unpackLimit", "0"],
  ["core.compression", "1"],
  ["pack.compression", "1"],
]);

/** A git directory like that of a linked worktree: refs, objects and settings are the repository's. */
function sharingGit({ place }: Scan, scratch: string): RunGit {
  const gitDir = emptyGitDir(scratch);
  fs.writeFileSync(join(gitDir, "commondir"), `${place.commonDir}\n`);
  return gitRunner({ gitDir, env: place.env, timeoutMs: SNAPSHOT_TIMEOUT_MS });
}

/** A repository of its own that shares nothing but the objects. */
function borrowingGit({ place, objectFormat }: Scan, scratch: string): RunGit {
  const gitDir = emptyGitDir(scratch);
  fs.mkdirSync(join(gitDir, "refs"));
  fs.mkdirSync(join(gitDir, "objects"));
  const format = `[core]\nrepositoryformatversion = 1\n[extensions]\nobjectformat = ${objectFormat}\n`;
  if (objectFormat !== "sha1") fs.writeFileSync(join(gitDir, "config"), format);
  return gitRunner({
    gitDir,
    objectDir: join(place.commonDir, "objects"),
    env: place.env,
    timeoutMs: SNAPSHOT_TIMEOUT_MS,
  });
}

function emptyGitDir(scratch: string): string {
  const gitDir = join(scratch, "git");
  fs.mkdirSync(gitDir, { recursive: true });
  fs.writeFileSync(join(gitDir, "HEAD"), "ref: refs/heads/none\n");
  return gitDir;
}

/** What of some objects is here, with its type: an index may name a blob that was never written. */
async function existing(run: RunGit, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map();
  const answer = await run({
    args: ["cat-file", "--batch-check=%(objectname) %(objecttype)"],
    access: "read",
    input: names.map((name) => `${name}\n`).join(""),
  });
  const pairs = answer.split("\n").map((line) => line.split(" ") as [string, string]);
  return new Map(pairs.filter(([, type]) => type === "blob" || type === "tree" || type === "commit"));
}

interface Words {
  readonly message: string;
  readonly inner: readonly InnerSnapshot[];
  readonly seconds: number;
  readonly ref: string;
}

async function* stream(
  scan: Scan,
  held: ReadonlyMap<string, string>,
  { message, inner, seconds, ref }: Words,
): AsyncGenerator<Buffer> {
  let marks = 0;
  const blob = function* ({ size, chunks }: DiskBytes): Generator<Buffer, number> {
    marks += 1;
    yield Buffer.from(`blob\nmark :${marks}\ndata ${size}\n`);
    yield* chunks();
    yield Buffer.from("\n");
    return marks;
  };
  const text = (bytes: Buffer): DiskBytes => ({ size: bytes.length, chunks: () => [bytes] });

  const rest: string[] = [];
  if (scan.index) rest.push(put("100644", `:${yield* blob(text(scan.index.bytes))}`, INDEX));
  for (const { path, bytes } of scan.state.files)
    rest.push(put("100644", `:${yield* blob(text(bytes))}`, `${STATE}${path}`));
  const repositories = Buffer.from(`${JSON.stringify(inner)}\n`);
  if (inner.length > 0) rest.push(put("100644", `:${yield* blob(text(repositories))}`, REPOSITORIES));
  const permissions = Buffer.from(`${JSON.stringify(closedFiles(scan))}\n`);
  if (permissions.length > EMPTY_LIST)
    rest.push(put("100644", `:${yield* blob(text(permissions))}`, PERMISSIONS_FILE));
  for (const [name, type] of held)
    if (type !== "commit") rest.push(put(type === "tree" ? "040000" : "100644", name, `objects/${name}`));

  const files: string[] = [];
  for (const path of scan.removed) files.push(`D ${quoted(path)}\n`);
  for (const [path, kind] of scan.present)
    files.push(put(MODES[kind], `:${yield* blob(readWhole(scan.place.path, path, kind))}`, path));
  for (const [path, name] of scan.links) files.push(put(SUBMODULE, name, path));

  const commits = [...held].filter(([name, type]) => type === "commit" && name !== scan.head);
  const state = marks + 1;
  yield commit(ref, state, "Index and state of a snapshot\n", seconds);
  yield latin1([...commits.map(([name]) => `merge ${name}\n`), ...rest, "\n"]);
  // Without a commit to start from it would start from the one before it.
  yield Buffer.from(`reset ${ref}\n\n`);
  yield commit(ref, state + 1, message, seconds);
  yield latin1([
    ...(scan.head === undefined ? [] : [`from ${scan.head}\n`]),
    `merge :${state}\n`,
    ...files,
    "\n",
  ]);
  yield Buffer.from(`get-mark :${state + 1}\ndone\n`);
}

/** Git knows no permissions but one. A file that its owner had closed must not come back open to everybody. */
function closedFiles({ place, present }: Scan): readonly (readonly [BytePath, number])[] {
  const closed: [BytePath, number][] = [];
  for (const [path, kind] of present) {
    if (kind === "link") continue;
    const mode = (statOf(onDisk(place.path, path))?.mode ?? 0o777) & 0o777;
    if ((mode & 0o444) !== 0o444) closed.push([path, mode]);
  }
  return closed;
}

const EMPTY_LIST = "[]\n".length;

/** No person's name is needed: Pawl writes it. */
function commit(ref: string, mark: number, message: string, seconds: number): Buffer {
  const bytes = Buffer.from(message);
  const head = `commit ${ref}\nmark :${mark}\ncommitter Pawl <pawl@localhost> ${seconds} +0000\n`;
  return Buffer.concat([Buffer.from(`${head}data ${bytes.length}\n`), bytes, Buffer.from("\n")]);
}

const latin1 = (lines: readonly string[]): Buffer => Buffer.from(lines.join(""), "latin1");

const put = (mode: string, name: string, path: BytePath): string => `M ${mode} ${name} ${quoted(path)}\n`;

/** As fast-import reads it back: every byte that is not a plain character as three octal digits. */
const quoted = (path: BytePath): string =>
  `"${path.replace(/[^ !#-[\]-~]/g, (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, "0")}`)}"`;
