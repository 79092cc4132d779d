import type { RunGit } from "../process/run-git.ts";
import { onDisk, type BytePath } from "../files/byte-path.ts";
import { kindReader, isFile, MODES, rawName, statOf, type OnDisk } from "../files/disk-file.ts";
import type { IndexEntry } from "../index-file/parse-index.ts";
import { recordsOf } from "../process/git-output.ts";
import { type WorktreeGit } from "./snapshot-scope.ts";

/**
 * Tracked files that git calls unchanged although their bytes are not those of their blob.
 *
 * Line ends, encodings, keywords and filters are converted on the way in and out, so the blob is not what lies on
 * disk. Line ends and keywords only ever make a blob smaller: the same size means the same bytes. A filter or an
 * encoding may keep the size, so those files are read.
 */
export async function convertedFiles(
  place: WorktreeGit,
  entries: readonly IndexEntry[],
  question: { readonly indexFile: string; readonly convertsLineEnds: boolean },
): Promise<readonly BytePath[]> {
  const files = entries.filter((entry) => entry.stage === 0 && entry.mode.startsWith("100"));
  const { arbitrary, shrinking, plain } = await attributesOf(place.run, question.indexFile, files);
  const resized = files.filter(({ path }) =>
    question.convertsLineEnds ? !plain.has(path) : shrinking.has(path),
  );
  const sizes = await blobSizes(place.run, resized);
  const suspects = new Set(arbitrary);
  for (const [at, { path }] of resized.entries()) {
    if (statOf(onDisk(place.path, path))?.size !== sizes[at]) suspects.add(path);
  }
  return differingFiles(
    place.path,
    files.filter((entry) => suspects.has(entry.path)),
  );
}

/** Those whose bytes on disk are not those of their blob, read one by one: for when nothing else can tell. */
export const differingFiles = (root: string, entries: readonly IndexEntry[]): readonly BytePath[] => {
  const look = kindReader(root);
  return entries
    .filter((entry) => entry.stage === 0 && differs(root, entry, look(entry.path)))
    .map(({ path }) => path);
};

const differs = (root: string, { path, oid, mode }: IndexEntry, found: OnDisk): boolean =>
  isFile(found) && MODES[found] === mode && rawName(root, path, found, oid) !== oid;

interface Attributes {
  readonly arbitrary: ReadonlySet<BytePath>;
  readonly shrinking: ReadonlySet<BytePath>;
  /** Never converted, whatever the settings say. */
  readonly plain: ReadonlySet<BytePath>;
}

async function attributesOf(
  run: RunGit,
  indexFile: string,
  files: readonly IndexEntry[],
): Promise<Attributes> {
  const arbitrary = new Set<BytePath>();
  const shrinking = new Set<BytePath>();
  const plain = new Set<BytePath>();
  if (files.length === 0) return { arbitrary, shrinking, plain };
  const input = Buffer.from(files.map(({ path }) => `${path}\0`).join(""), "latin1");
  const records = await recordsOf(run, {
    args: ["check-attr", "-z", "--stdin", "--all"],
    access: "read",
    input,
    indexFile,
  });
  for (let at = 0; at + 2 < records.length; at += 3) {
    const [path, name, value] = [records[at]!, records[at + 1]!, records[at + 2]!];
    const isSet = value !== "unset" && value !== "unspecified";
    if (ARBITRARY.has(name) && isSet) arbitrary.add(path);
    else if (SHRINKING.has(name) && isSet) shrinking.add(path);
    else if (name === "text" && value === "unset") plain.add(path);
  }
  return { arbitrary, shrinking, plain };
}

const ARBITRARY: ReadonlySet<string> = new Set(["filter", "working-tree-encoding"]);
const SHRINKING: ReadonlySet<string> = new Set(["text", "eol", "crlf", "ident"]);

async function blobSizes(run: RunGit, entries: readonly IndexEntry[]): Promise<readonly number[]> {
  if (entries.length === 0) return [];
  const input = entries.map(({ oid }) => `${oid}\n`).join("");
  const answer = await run({ args: ["cat-file", "--batch-check=%(objectsize)"], access: "read", input });
  return answer.split("\n").map(Number);
}
