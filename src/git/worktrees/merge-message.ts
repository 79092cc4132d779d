import type { BranchCommit } from "./branch-log.ts";

/** The message of a merge commit: what it is, and which steps it brings. */
export const mergeMessage = (title: string, newestFirst: readonly BranchCommit[]): string =>
  `${[oneLine(title), ...stepList(newestFirst)].join("\n\n")}\n`;

/**
 * The message of a squash: the same, then every commit whole, as `git merge --squash` writes it, then the step trailers.
 *
 * The commits are about to be forgotten by git, but not what they say: progress is read back from these lines when a
 * database is lost. The trailers at the end are for tools that read only those. They are left out where the commits
 * are of several plans, since nobody could tell which step is of which.
 */
export function squashMessage(title: string, newestFirst: readonly BranchCommit[]): string {
  const blocks = newestFirst.map(({ commit, author, date, message }) =>
    [`commit ${commit}`, `Author: ${oneLine(author)}`, `Date:   ${oneLine(date)}`, "", indent(message)].join(
      "\n",
    ),
  );
  const parts = [
    oneLine(title),
    ...stepList(newestFirst),
    "Squashed commit of the following:",
    ...blocks,
    ...trailerBlock(newestFirst),
  ];
  return `${parts.join("\n\n")}\n`;
}

function stepList(newestFirst: readonly BranchCommit[]): readonly string[] {
  const lines = standing(newestFirst).flatMap(({ steps, subject }) =>
    steps.map((step) => `- ${step}: ${oneLine(subject)}`),
  );
  return lines.length === 0 ? [] : [`Steps:\n${[...new Set(lines)].join("\n")}`];
}

function trailerBlock(newestFirst: readonly BranchCommit[]): readonly string[] {
  const commits = standing(newestFirst).filter(({ steps }) => steps.length > 0);
  const plans = new Set(commits.map(({ plan }) => plan));
  if (plans.size !== 1 || plans.has(undefined)) return [];
  const lines = commits.flatMap(({ trailers }) => trailers.map(({ key, value }) => `${key}: ${value}`));
  return [[...new Set(lines)].join("\n")];
}

const standing = (newestFirst: readonly BranchCommit[]): readonly BranchCommit[] =>
  newestFirst.filter(({ isReverted }) => !isReverted).toReversed();

/** Line ends and control characters inside a title would begin a line of their own, which could be a trailer. */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim()
    .slice(0, 500);

const indent = (message: string): string =>
  message
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
    .map((line) => (line === "" ? "" : `    ${line}`))
    .join("\n");
