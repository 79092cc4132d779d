import * as fs from "node:fs";
import { join } from "node:path";
import type { RunGit } from "../run-git.ts";
import { gitRunner } from "../run-git.ts";
import type { BytePath } from "../byte-path.ts";
import { MODES, readWhole, SUBMODULE, type DiskBytes } from "./disk-file.ts";
import { LONG_MS } from "./place.ts";
import type { Scan } from "./scan.ts";

/** Where the parts of the second parent's tree are. */
export const INDEX = "index";
export const STATE = "state/";
export const REPOSITORIES = "repositories.json";

/** A repository inside the worktree, and the snapshot that was taken in it. */
export interface InnerSnapshot {
  /** Path in the worktree, as bytes in latin1. */
  readonly path: BytePath;
  readonly gitDir: string;
  readonly head: string | undefined;
  readonly ref: string;
  readonly commit: string;
}

/**
 * Writes a scan as a commit and gives its name; no ref holds it yet.
 *
 * Its tree is the worktree, byte for byte, so `git diff`, `git show` and `git checkout` of single files work on it. Its
 * parents are the commit that was checked out, and a second commit with the rest: index, blobs that only the index
 * names, what git was in the middle of. All of it is one call of fast-import: one pack, one fsync, or nothing. It runs
 * in a git directory of ours that borrows the repository's objects, so it reads no settings of the repository, and
 * what it leaves behind when it is killed is not in anybody's way.
 */
export async function writeSnapshot(
  scan: Scan,
  scratch: string,
  {
    message,
    takenAtMs,
    inner,
  }: { readonly message: string; readonly takenAtMs: number; readonly inner: readonly InnerSnapshot[] },
): Promise<string> {
  const run = borrowingGit(scan, scratch);
  const held = await existing(scan.place.run, [...scan.staged, ...scan.state.names]);
  const input = stream(scan, held, { message, inner, seconds: Math.floor(takenAtMs / 1000) });
  const answer = await run({
    args: FAST_IMPORT,
    access: "keep",
    fsync: "all,-reference,-index",
    config: QUICK,
    input,
  });
  return answer.trim();
}

const FAST_IMPORT = ["fast-import", "--quiet", "--done"];
// One pack whatever its size; most of an index are names of objects, which no compression makes smaller.
const QUICK = new Map([
  ["fastimport.unpackLimit", "0"],
  ["core.compression", "1"],
  ["pack.compression", "1"],
]);

function borrowingGit({ place, objectFormat }: Scan, scratch: string): RunGit {
  const gitDir = join(scratch, "git");
  fs.mkdirSync(join(gitDir, "refs"), { recursive: true });
  fs.mkdirSync(join(gitDir, "objects"), { recursive: true });
  fs.writeFileSync(join(gitDir, "HEAD"), "ref: refs/heads/none\n");
  const format = `[core]\nrepositoryformatversion = 1\n[extensions]\nobjectformat = ${objectFormat}\n`;
  if (objectFormat !== "sha1") fs.writeFileSync(join(gitDir, "config"), format);
  return gitRunner({
    gitDir,
    objectDir: join(place.commonDir, "objects"),
    env: place.env,
    timeoutMs: LONG_MS,
  });
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
}

async function* stream(
  scan: Scan,
  held: ReadonlyMap<string, string>,
  { message, inner, seconds }: Words,
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
  for (const [name, type] of held)
    if (type !== "commit") rest.push(put(type === "tree" ? "040000" : "100644", name, `objects/${name}`));

  const files: string[] = [];
  for (const path of scan.removed) files.push(`D ${quoted(path)}\n`);
  for (const [path, kind] of scan.present)
    files.push(put(MODES[kind], `:${yield* blob(readWhole(scan.place.path, path, kind))}`, path));
  for (const [path, name] of scan.links) files.push(put(SUBMODULE, name, path));

  const commits = [...held].filter(([name, type]) => type === "commit" && name !== scan.head);
  const state = marks + 1;
  yield commit("state", state, "Index and state of a snapshot\n", seconds);
  yield latin1([...commits.map(([name]) => `merge ${name}\n`), ...rest, "\n"]);
  yield commit("snapshot", state + 1, message, seconds);
  yield latin1([
    ...(scan.head === undefined ? [] : [`from ${scan.head}\n`]),
    `merge :${state}\n`,
    ...files,
    "\n",
  ]);
  yield Buffer.from(`get-mark :${state + 1}\ndone\n`);
}

/** Nobody's name is needed: it is Pawl that writes it. */
function commit(branch: string, mark: number, message: string, seconds: number): Buffer {
  const bytes = Buffer.from(message);
  const head = `commit refs/heads/${branch}\nmark :${mark}\ncommitter Pawl <pawl@localhost> ${seconds} +0000\n`;
  return Buffer.concat([Buffer.from(`${head}data ${bytes.length}\n`), bytes, Buffer.from("\n")]);
}

const latin1 = (lines: readonly string[]): Buffer => Buffer.from(lines.join(""), "latin1");

const put = (mode: string, name: string, path: BytePath): string => `M ${mode} ${name} ${quoted(path)}\n`;

/** As fast-import reads it back: every byte that is not a plain character as three octal digits. */
const quoted = (path: BytePath): string =>
  `"${path.replace(/[^ !#-[\]-~]/g, (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, "0")}`)}"`;
