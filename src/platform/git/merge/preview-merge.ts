import { Failure } from "../../../domain/index.ts";
import { looseCommit } from "../objects/loose-commit.ts";
import type { RunGit } from "../process/run-git.ts";
import { PAWL_IDENTITY } from "../process/pawl-identity.ts";
import type { DiffStat, MergedTree, MergePreview } from "../../ports/index.ts";

/** Merges two commits in memory. No checkout, no index and no ref is touched; only objects are written. */
export async function previewMerge(run: RunGit, base: string, branch: string): Promise<MergePreview> {
  const { tree, conflicts, isClean } = await mergeTrees(run, base, branch);
  if (!isClean) return { kind: "conflicts", files: conflicts };
  const present = (await run({ args: ["rev-parse", `${base}^{tree}`], access: "read" })).trim();
  if (tree === present) return { kind: "nothing" };
  const changed = await run({
    args: ["diff-tree", "-r", "-z", "--name-only", "--no-renames", base, tree],
    access: "read",
  });
  return { kind: "clean", tree, files: changed.split("\0").filter((name) => name !== "") };
}

/** Merges two commits in memory; their own trees are read from files where they lie in such. */
export async function mergedTree(
  run: RunGit,
  commonDir: string,
  base: string,
  branch: string,
): Promise<MergedTree> {
  const { tree, conflicts, isClean } = await mergeTrees(run, base, branch);
  if (!isClean) return { kind: "conflicts", files: conflicts, tree };
  const [before, own] = [looseCommit(commonDir, base)?.tree, looseCommit(commonDir, branch)?.tree];
  const trees =
    before !== undefined && own !== undefined
      ? [before, own]
      : (await run({ args: ["rev-parse", `${base}^{tree}`, `${branch}^{tree}`], access: "read" })).split(
          "\n",
        );
  return tree === trees[0] ? { kind: "nothing" } : { kind: "clean", tree, isOfBranch: tree === trees[1] };
}

/** What git would merge two commits to; where there are conflicts, the files they are in. */
export async function mergeTrees(run: RunGit, base: string, branch: string) {
  let code = 0;
  const answer = await run({
    args: ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", base, branch],
    access: "write",
    answers: [CONFLICTS, UNKNOWN_OPTION],
    onExit: (exit) => (code = exit),
  }).catch(async (error: unknown) => Promise.reject(await unrelated(run, base, branch, error)));
  if (code === UNKNOWN_OPTION) {
    throw new Failure("git/too-old", "This git cannot merge in memory; that needs git 2.38 or newer.", {});
  }
  const [tree = "", ...rest] = answer.split("\0");
  const conflicts = [...new Set(rest.filter((name) => name !== ""))];
  return { tree, conflicts, isClean: code === 0 };
}

/**
 * Two commits with nothing in common cannot be merged.
 *
 * In a shallow clone they may only look so: what they have in common was not fetched.
 */
async function unrelated(run: RunGit, base: string, branch: string, error: unknown): Promise<unknown> {
  if (!(error instanceof Failure) || !/unrelated histories/.test(error.message)) return error;
  const answer = await run({ args: ["rev-parse", "--is-shallow-repository"], access: "read" });
  const isShallow = answer.trim() === "true";
  const why = isShallow
    ? "this clone is shallow, and where they meet was not fetched"
    : "their histories are unrelated";
  return new Failure(
    "merge/unrelated",
    `${branch.slice(0, 12)} and ${base.slice(0, 12)} have no commit in common: ${why}.`,
    { base, branch, shallow: isShallow },
    { cause: error, ...(isShallow ? { hint: UNSHALLOW } : {}) },
  );
}

const UNSHALLOW = "Fetch the rest of the history with `git fetch --unshallow`, then run the command again.";

const CONFLICTS = 1;
const UNKNOWN_OPTION = 129;

/** A longer list is not read. */
const MOST_SHOWN = 200;

/** What a branch changed since it left its base, as `git diff --stat` counts it. */
export async function diffStat(run: RunGit, base: string, branch: string): Promise<DiffStat> {
  const answer = await run({
    args: ["diff", "--numstat", "-z", "--no-renames", "--no-ext-diff", `${base}...${branch}`, "--"],
    access: "read",
  });
  const changes = answer.split("\0").filter(Boolean).map(changeOf);
  const sum = (pick: (change: Change) => number | null) =>
    changes.reduce((total, change) => total + (pick(change) ?? 0), 0);
  return {
    files: changes.length,
    insertions: sum(({ insertions }) => insertions),
    deletions: sum(({ deletions }) => deletions),
    changes: changes.slice(0, MOST_SHOWN),
  };
}

type Change = DiffStat["changes"][number];

/** `12\t3\tname`, with dashes for what is no text. */
function changeOf(record: string): Change {
  const [insertions = "-", deletions = "-", ...file] = record.split("\t");
  return { file: file.join("\t"), insertions: countOf(insertions), deletions: countOf(deletions) };
}

const countOf = (text: string): number | null => (text === "-" ? null : Number(text));

/** What changed between two commits, for people and agents. */
export async function patchBetween(
  run: RunGit,
  { from, to, most }: { readonly from: string; readonly to: string; readonly most: number },
): Promise<string> {
  const text = await run({
    args: ["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", from, to, "--"],
    access: "read",
  });
  return text.length <= most ? text : `${text.slice(0, most)}\n(cut after ${most} characters)`;
}

export async function messagesBetween(run: RunGit, base: string, tip: string): Promise<readonly string[]> {
  const text = await run({
    args: [
      "log",
      "-z",
      "--reverse",
      "--encoding=UTF-8",
      "--no-show-signature",
      "--format=%ae%n%B",
      `${base}..${tip}`,
      "--",
    ],
    access: "read",
  });
  return text
    .split("\0")
    .filter((one) => one !== "" && !one.startsWith(`${PAWL_IDENTITY.GIT_AUTHOR_EMAIL}\n`))
    .map((one) => one.slice(one.indexOf("\n") + 1).trim());
}
