import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../../domain/index.ts";
import type { DamagedBranch, MovedBack } from "../../ports/index.ts";
import { recordsOf } from "../process/git-output.ts";
import type { RunGit } from "../process/run-git.ts";
import { isBlankFile, readLine } from "../worktrees/worktree-entry.ts";
import { flushRef } from "../refs/flush-ref.ts";
import {
  asideFolder,
  type CheckoutFolder,
  presentObjects,
  replaceFile,
  setAside,
} from "./restore-objects.ts";
import { dropLines, logsAround, namedIn } from "./reflogs.ts";

/**
 * Moves a branch to its last whole commit, by compare-and-swap.
 *
 * The files of a worktree that has it checked out stay as they are: what the lost commit had is there as uncommitted
 * work. The index gets the whole commit's version of what it names and git no longer has.
 */
export async function restoreBranch(
  run: RunGit,
  commonDir: string,
  { name, at, good }: DamagedBranch,
  checkouts: readonly CheckoutFolder[],
): Promise<MovedBack> {
  const ref = `refs/heads/${name}`;
  const isBlank = at === undefined && isBlankFile(join(commonDir, ref));
  if (good === undefined && at === undefined) {
    if (isBlank) setAside(commonDir, join(commonDir, ref));
    return { at: undefined, folder: asideFolder(commonDir) };
  }
  if (good === undefined)
    throw new Failure("branch/damaged", `No commit of ${name} is whole.`, { branch_name: name, commit: at });
  if (isBlank) await fillRef(commonDir, ref, good);
  else
    await run({
      args: ["update-ref", "--no-deref", "-m", "pawl: back to the last whole commit", ref, good, at ?? ""],
      access: "write",
    });
  for (const checkout of checkouts)
    if (readLine(join(checkout.gitDir, "HEAD")) === `ref: ${ref}`)
      await repairIndex(run, commonDir, checkout, good);
  await cleanLogs(run, commonDir, name);
  return { at: good, folder: asideFolder(commonDir) };
}

/**
 * Writes a commit into a ref that says nothing. Git neither locks nor moves such a ref, so no other process writes it.
 *
 * Replaced in one step: were it moved away first, an older commit that git has packed would take its place, and a kill
 * would leave no branch at all.
 */
async function fillRef(commonDir: string, ref: string, commit: string): Promise<void> {
  setAside(commonDir, join(commonDir, ref), "copy");
  replaceFile(commonDir, join(commonDir, ref), `${commit}\n`);
  await flushRef(commonDir, ref);
}

async function cleanLogs(run: RunGit, commonDir: string, name: string): Promise<void> {
  const logs = logsAround(commonDir, name);
  const named = [...new Set(logs.flatMap(namedIn))].filter((commit) => !/^0+$/.test(commit));
  const present = await presentObjects(run, named);
  for (const log of logs) dropLines(commonDir, log, (commit) => !/^0+$/.test(commit) && !present.has(commit));
}

/** Entries of an index that name what git no longer has would fail every commit. */
async function repairIndex(
  run: RunGit,
  commonDir: string,
  { path, gitDir }: CheckoutFolder,
  good: string,
): Promise<void> {
  const staged = await readIndex(run, path);
  if (staged === undefined) {
    const index = join(gitDir, "index");
    if (existsSync(index)) setAside(commonDir, index);
    await run({ args: ["read-tree", good], access: "write", worktree: path });
    return;
  }
  const present = await presentObjects(run, [...new Set(staged.map(({ id }) => id))]);
  const gone = new Set(
    staged.filter(({ id, mode }) => mode !== SUBMODULE && !present.has(id)).map(({ name }) => name),
  );
  if (gone.size === 0) return;
  setAside(commonDir, join(gitDir, "index"), "copy");
  const committed = await recordsOf(run, { args: ["ls-tree", "-r", "-z", good], access: "read" });
  const lines = committed.filter((line) => gone.has(line.slice(line.indexOf("\t") + 1)));
  const zero = "0".repeat(good.length);
  const input = [
    ...[...gone].map((name) => `0 ${zero}\t${name}\0`),
    ...lines.map((line) => `${line}\0`),
  ].join("");
  const args = ["update-index", "-z", "--index-info"];
  await run({ args, access: "write", worktree: path, input: Buffer.from(input, "latin1") });
}

const SUBMODULE = "160000";

interface Staged {
  readonly mode: string;
  readonly id: string;
  /** As bytes in latin1. */
  readonly name: string;
}

/** Undefined for an index that git cannot read, as an empty file. */
async function readIndex(run: RunGit, worktree: string): Promise<readonly Staged[] | undefined> {
  let code = 0;
  const lines = await recordsOf(run, {
    args: ["ls-files", "--stage", "-z"],
    access: "read",
    worktree,
    answers: [128],
    onExit: (exit) => {
      code = exit;
    },
  });
  if (code !== 0) return undefined;
  return lines.map((line) => {
    const [mode = "", id = ""] = line.split(" ", 2);
    return { mode, id, name: line.slice(line.indexOf("\t") + 1) };
  });
}
