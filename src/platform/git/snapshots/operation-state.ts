import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fromBytes, onDisk, type BytePath } from "../files/byte-path.ts";
import { filesBelow, kindAt } from "../files/disk-file.ts";

/** A file of the git directory that says what git is in the middle of. */
export interface StateFile {
  readonly path: BytePath;
  readonly bytes: Buffer;
}

export interface OperationState {
  readonly operation: string | undefined;
  readonly files: readonly StateFile[];
  /** Full object names in those files: what the operation needs to go on, and nothing else may hold. */
  readonly names: readonly string[];
}

/** In the order git itself looks. */
const OPERATIONS: readonly (readonly [path: string, operation: string])[] = [
  ["rebase-apply/applying", "am"],
  ["rebase-apply", "rebase"],
  ["rebase-merge", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["sequencer", "cherry-pick"],
  ["BISECT_LOG", "bisect"],
];

const FOLDERS: ReadonlySet<string> = new Set(["rebase-apply", "rebase-merge", "sequencer"]);
const FILES =
  /^(?:(?:MERGE_(?:HEAD|MODE|MSG|RR|AUTOSTASH)|AUTO_MERGE|SQUASH_MSG|(?:CHERRY_PICK|REVERT|REBASE)_HEAD)|BISECT_[A-Z_]+)$/;

export function readOperation(gitDir: string): OperationState {
  const files: StateFile[] = [];
  for (const bytes of readdirSync(Buffer.from(gitDir), { encoding: "buffer" })) {
    const name = fromBytes(bytes);
    if (FOLDERS.has(name) && kindAt(onDisk(gitDir, name)) === "folder") {
      for (const [path, kind] of filesBelow(gitDir, name))
        if (kind !== "link") files.push(read(gitDir, path));
    } else if ((FILES.test(name) || isIndexPart(name)) && kindAt(onDisk(gitDir, name)) === "file")
      files.push(read(gitDir, name));
  }
  const found = OPERATIONS.find(([path]) => kindAt(Buffer.from(join(gitDir, path))) !== "nothing");
  return { operation: found?.[1], files, names: namesIn(files) };
}

/** The larger part of an index that was split in two. It belongs to the index, and git removes it when it is old. */
export const isIndexPart = (path: BytePath): boolean => /^sharedindex\.[0-9a-f]+$/.test(path);

const read = (gitDir: string, path: BytePath): StateFile => ({
  path,
  bytes: readFileSync(onDisk(gitDir, path)),
});

const MAX_NAMES = 1000;

/** The ends of histories first: should there be too many, they reach the rest. */
function namesIn(files: readonly StateFile[]): readonly string[] {
  const texts = files.filter(({ path }) => !isIndexPart(path));
  const ends = texts.filter(({ path }) => !/(?:todo|done|rewritten-list|\d{4})$/.test(path));
  const lists = texts.filter((file) => !ends.includes(file));
  const names = new Set<string>();
  for (const { bytes } of [...ends, ...lists]) {
    for (const [name] of bytes.toString("latin1").matchAll(/\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g)) {
      if (names.size < MAX_NAMES) names.add(name);
    }
  }
  return [...names];
}
