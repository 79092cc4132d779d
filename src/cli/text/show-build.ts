import { plural } from "../../domain/index.ts";
import type { BuildReview } from "../../runs/index.ts";
import type { MergeAnswer } from "../../worktrees/index.ts";
import type { Paint } from "./paint.ts";

const MOST_FILES = 20;

/** What was built: each step with its commit and the last word of its verification, then what changed. */
export function reviewLines({ build, steps, diff }: BuildReview, paint: Paint): readonly string[] {
  const more = diff.files - Math.min(diff.changes.length, MOST_FILES);
  return [
    `  ${paint.plain(build.branch)}${build.worktree === null ? "" : ` in ${paint.plain(build.worktree)}`}, for ${paint.plain(build.base)}`,
    ...steps.map(({ anchor, title, status, commit, verdicts }) => {
      const verdict = verdicts.at(-1);
      const said = verdict
        ? `, verification ${verdict.attempt}: ${verdict.outcome} (${verdict.because})`
        : "";
      const what = `${status}${commit === null ? "" : ` ${commit.slice(0, 12)}`}${said}`;
      return `  ${paint.bold(anchor)} ${paint.plain(title)} ${paint.dim(what)}`;
    }),
    `  ${plural(diff.files, "file")} changed, ${diff.insertions} added and ${diff.deletions} removed lines, ${plural(build.uncommittedFiles.length, "uncommitted file")}`,
    ...diff.changes
      .slice(0, MOST_FILES)
      .map(
        ({ file, insertions, deletions }) =>
          `    +${insertions ?? "?"} -${deletions ?? "?"} ${paint.plain(file)}`,
      ),
    ...(more > 0 ? [`    and ${more} more`] : []),
  ];
}

export const mergeLines = (
  { branchName, baseBranch, alreadyMerged, commitHash, steps }: MergeAnswer,
  paint: Paint,
): readonly string[] => [
  alreadyMerged
    ? `  ${paint.plain(baseBranch)} has all of ${paint.plain(branchName)} already`
    : `  ${paint.plain(branchName)} is in ${paint.plain(baseBranch)} with ${paint.bold(commitHash?.slice(0, 12) ?? "")}${steps.length === 0 ? "" : `, ${plural(steps.length, "step")}`}`,
];
