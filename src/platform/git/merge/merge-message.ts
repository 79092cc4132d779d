import { proofLines } from "../trailers/squash-message.ts";
import { readReverts } from "../trailers/find-reverted.ts";
import type { BranchCommit } from "./branch-log.ts";

type StepCommit = Pick<BranchCommit, "steps" | "subject" | "isReverted">;

/** The message of a merge commit: what it is, and which steps it brings. */
export const mergeMessage = (title: string, newestFirst: readonly StepCommit[]): string =>
  `${[oneLine(title), ...stepList(newestFirst)].join("\n\n")}\n`;

/**
 * The message of a squash: the same, then what proves each step, one line for each.
 *
 * The commits are about to be forgotten by git, but not what they prove: progress is read back from these lines when a
 * database is lost. A commit that takes back older work is kept whole, as `git merge --squash` writes it, since the
 * squash takes that back too. So are all of them where they are of several plans: one line could not say which step is
 * of which.
 */
export function squashMessage(title: string, newestFirst: readonly BranchCommit[]): string {
  const proofs = proofBlock(newestFirst);
  const whole =
    proofs.length === 0
      ? newestFirst
      : newestFirst.filter(({ isReverted, message }) => !isReverted && readReverts(message).length > 0);
  const blocks = whole.map(({ commit, author, date, message }) =>
    [`commit ${commit}`, `Author: ${oneLine(author)}`, `Date:   ${oneLine(date)}`, "", indent(message)].join(
      "\n",
    ),
  );
  const parts = [
    oneLine(title),
    ...stepList(newestFirst),
    ...(blocks.length === 0 ? [] : ["Squashed commit of the following:", ...blocks]),
    ...proofs,
  ];
  return `${parts.join("\n\n")}\n`;
}

function stepList(newestFirst: readonly StepCommit[]): readonly string[] {
  const lines = standing(newestFirst).flatMap(({ steps, subject }) =>
    steps.map((step) => `- ${step}: ${oneLine(subject)}`),
  );
  return lines.length === 0 ? [] : [`Steps:\n${[...new Set(lines)].join("\n")}`];
}

/** For tools that read only trailers: the plan and its steps, then the proofs. */
function proofBlock(newestFirst: readonly BranchCommit[]): readonly string[] {
  const commits = standing(newestFirst).filter(
    ({ steps, trailers }) => steps.length > 0 && trailers.length > 0,
  );
  const plans = new Set(commits.map(({ plan }) => plan));
  if (plans.size !== 1 || plans.has(undefined)) return [];
  const named = commits.flatMap(({ trailers }) =>
    trailers.filter(({ key }) => /-(?:Plan|Step)$/i.test(key)).map(({ key, value }) => `${key}: ${value}`),
  );
  const proofs = commits.flatMap(({ steps, trailers, commit }) => proofLines(steps, trailers, commit));
  return [[...new Set([...named, ...proofs])].join("\n")];
}

const standing = <T extends StepCommit>(newestFirst: readonly T[]): readonly T[] =>
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
