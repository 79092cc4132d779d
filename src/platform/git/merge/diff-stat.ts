import type { DiffStat } from "../../ports/branches.ts";
import type { RunGit } from "../process/run-git.ts";

/** Nobody reads a longer list. */
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
