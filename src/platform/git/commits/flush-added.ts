import { readFileSync } from "node:fs";
import type { GitDirectory } from "../repository/git-directory.ts";
import { flushObjects } from "../objects/flush-objects.ts";
import { readIndex } from "../index-file/copy-index.ts";
import { objectFormatOf } from "../snapshots/conversion-settings.ts";
import { parseIndex } from "../index-file/parse-index.ts";

/**
 * For a `git add` that leaves its objects to `flushAdded`: git flushes them one by one, 3 ms each.
 *
 * All components but one, each by name: git adds what is named after it has taken away what is not wanted, so that
 * `all,-loose-object` is all of them.
 */
export const FLUSH_OBJECTS_LATER = "pack,derived-metadata,reference,index";

/** Brings to the disk what a `git add` has put into a copy of a worktree's index; few by themselves, many at once. */
export async function flushAdded({ gitDir, commonDir }: GitDirectory, indexFile: string): Promise<void> {
  const before = readIndex(gitDir)?.bytes;
  const after = readFileSync(indexFile);
  if (before?.equals(after)) return;
  const nameBytes = objectFormatOf(commonDir) === "sha256" ? 32 : 20;
  const had = before === undefined ? [] : parseIndex(before, nameBytes);
  const has = parseIndex(after, nameBytes);
  const known = had && new Set(had.map(({ oid }) => oid));
  const added = known && has?.filter(({ oid }) => !known.has(oid)).map(({ oid }) => oid);
  // What is not written in the plain way only git can read; then everything is flushed.
  await flushObjects(commonDir, added);
}
