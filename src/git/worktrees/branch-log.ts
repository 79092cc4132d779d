import { isStepTrailer, TRAILER_FAMILIES } from "../../domain/trailer-families.ts";
import { findReverted } from "../find-reverted.ts";
import { readReverts } from "../revert-message.ts";
import type { RunGit } from "../run-git.ts";
import { splitRecords } from "../split-records.ts";
import { stepTrailerReader } from "../step-trailers.ts";
import { readTrailers, subjectOf, type Trailer } from "../trailer-block.ts";

/** One commit that a branch has and its base does not. */
export interface BranchCommit {
  readonly commit: string;
  readonly author: string;
  readonly date: string;
  readonly message: string;
  readonly subject: string;
  readonly plan: string | undefined;
  readonly steps: readonly string[];
  /** Trailers about steps, as they stand. */
  readonly trailers: readonly Trailer[];
  /** A later commit of the branch took it back. */
  readonly isReverted: boolean;
}

const MAX_MESSAGE_BYTES = 1 << 20;

/** The commits of a branch that its base does not have, newest first. */
export async function branchLog(run: RunGit, base: string, branch: string): Promise<readonly BranchCommit[]> {
  const found: Omit<BranchCommit, "isReverted">[] = [];
  const readSteps = stepTrailerReader(TRAILER_FAMILIES);
  const onOutput = splitRecords(MAX_MESSAGE_BYTES, ({ bytes }) => {
    const [commit = "", author = "", date = "", ...lines] = bytes.toString("utf8").split("\n");
    const message = lines.join("\n").trimEnd();
    const steps = readSteps(message);
    const trailers = readTrailers(message).filter(({ key }) => isStepTrailer(key));
    const subject = subjectOf(message);
    found.push({
      commit,
      author,
      date,
      message,
      subject,
      plan: steps?.plan,
      steps: steps?.steps ?? [],
      trailers,
    });
  });
  await run({
    args: [
      "log",
      "-z",
      "--topo-order",
      "--encoding=UTF-8",
      "--no-show-signature",
      FORMAT,
      branch,
      `^${base}`,
      "--",
    ],
    access: "read",
    onOutput,
  });
  const reverted = findReverted(
    found.map(({ commit, subject, message }) => revertible(commit, subject, message, found)),
  );
  return found.map((one) => ({ ...one, isReverted: reverted.has(one.commit) }));
}

const FORMAT = "--format=tformat:%H%n%an <%ae>%n%ad%n%B";

const revertible = (
  id: string,
  subject: string,
  message: string,
  all: readonly { readonly commit: string }[],
) => ({
  id,
  subject,
  reverts: readReverts(message).map((revert) => ({
    ids: all.filter(({ commit }) => commit.startsWith(revert.commit)).map(({ commit }) => commit),
    subject: revert.subject,
  })),
});
