import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Worktree } from "../../ports/index.ts";
import { type BytePath, fromBytes, toBytes } from "../files/byte-path.ts";
import { readIndex } from "../index-file/copy-index.ts";
import { objectFormatOf } from "../snapshots/conversion-settings.ts";
import { type IndexEntry, parseIndex } from "../index-file/parse-index.ts";
import { READY_MARK } from "../worktrees/list-worktrees.ts";
import { notAdded, gitRefusal } from "./git-refusal.ts";
import { gitDirectoryOf } from "../refs/checked-out-ref.ts";
import type { RunInWorktree } from "../process/run-in-worktree.ts";

/** A file that git was asked not to look at. */
export type Hidden = Pick<IndexEntry, "path" | "unwatched">;

/** Git looks at every file itself: what a monitor or a cache says of them may be wrong, or a lie. */
export const READ_EVERY_FILE = ["-c", "core.fsmonitor=false", "-c", "core.untrackedCache=false"] as const;

export interface Adding {
  readonly indexFile?: string;
  readonly paths?: readonly string[] | undefined;
  /** What git flushes, where that is not everything: the caller flushes the rest. */
  readonly fsync?: string;
}

/** Puts everything that lies in a worktree, or below some paths, into an index: its own, or another one. */
export async function addAll(
  run: RunInWorktree,
  worktree: Worktree,
  { indexFile, paths, fsync }: Adding = {},
): Promise<void> {
  const onIndex = { access: "write", ...(indexFile === undefined ? {} : { indexFile }) } as const;
  const { shownAgain } = await hiddenIn(run, worktree);
  for (const [option, flag] of FLAGS) {
    const input = shownAgain.filter(({ unwatched }) => unwatched === flag).map(({ path }) => path);
    if (input.length === 0) continue;
    const args = ["update-index", "-z", option, "--stdin"];
    const answer = await run(worktree, { ...onIndex, args, input: listOf(input) });
    if (answer.code !== 0) throw gitRefusal("update-index", answer);
  }
  const below = paths === undefined ? [] : ["--", ...paths];
  // Without `--sparse` git passes over what an agent changed outside of a sparse checkout, and reports success.
  const args = [...READ_EVERY_FILE, "--literal-pathspecs", "add", "--all", "--sparse", ...below];
  const answer = await run(worktree, { ...onIndex, args, ...(fsync === undefined ? {} : { fsync }) });
  if (answer.code !== 0) throw notAdded(answer);
}

const FLAGS = [
  ["--no-assume-unchanged", "assumed-unchanged"],
  ["--no-skip-worktree", "sparse"],
] as const;

const listOf = (paths: readonly BytePath[]): Buffer =>
  Buffer.concat(paths.map((path) => toBytes(`${path}\0`)));

/**
 * The files of a worktree that git was asked not to look at: those that count all the same, and those that stay hidden.
 *
 * In a worktree of Pawl's own only an agent can have hidden any. In a person's they are theirs, such as local
 * settings that must never be committed. A sparse checkout leaves out files on purpose, there as here.
 */
export async function hiddenIn(
  run: RunInWorktree,
  worktree: Worktree,
): Promise<{ readonly shownAgain: readonly Hidden[]; readonly stillHidden: readonly Hidden[] }> {
  const { gitDir } = gitDirectoryOf(worktree.path);
  const hidden = await flagged(run, worktree);
  if (hidden.length === 0) return { shownAgain: [], stillHidden: [] };
  const isOurs = existsSync(join(gitDir, READY_MARK));
  const isSparse =
    hidden.some(({ unwatched }) => unwatched === "sparse") && (await isSparseCheckout(run, worktree));
  const counts = ({ unwatched }: Hidden) => isOurs && !(isSparse && unwatched === "sparse");
  return {
    shownAgain: hidden.filter(counts),
    stillHidden: hidden.filter((one) => !counts(one)),
  };
}

async function flagged(run: RunInWorktree, worktree: Worktree): Promise<readonly Hidden[]> {
  const { gitDir, commonDir } = gitDirectoryOf(worktree.path);
  const bytes = readIndex(gitDir)?.bytes;
  if (bytes === undefined) return [];
  const entries = parseIndex(bytes, objectFormatOf(commonDir) === "sha256" ? 32 : 20);
  if (entries !== undefined) return entries.filter(({ unwatched }) => unwatched !== undefined);
  const answer = await run(worktree, { args: ["ls-files", "-v", "-z"], access: "read" });
  if (answer.code !== 0) throw gitRefusal("ls-files", answer);
  return fromBytes(answer.stdout)
    .split("\0")
    .flatMap((line): Hidden[] => {
      const [tag = "", path] = [line[0], line.slice(2)];
      if (tag.toUpperCase() === "S") return [{ path, unwatched: "sparse" }];
      return /[a-z]/.test(tag) ? [{ path, unwatched: "assumed-unchanged" }] : [];
    });
}

async function isSparseCheckout(run: RunInWorktree, worktree: Worktree): Promise<boolean> {
  const args = ["config", "--type=bool", "--get", "core.sparseCheckout"];
  return (await run(worktree, { args, access: "read" })).stdout.toString("utf8").trim() === "true";
}
