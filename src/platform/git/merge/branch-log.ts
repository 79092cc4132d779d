import { isStepTrailer, TRAILER_FAMILIES } from "../../../domain/index.ts";
import { findReverted, readReverts } from "../trailers/find-reverted.ts";
import { isLooseAncestor, looseCommit } from "../objects/loose-commit.ts";
import type { RunGit } from "../process/run-git.ts";
import { splitRecords } from "../process/git-output.ts";
import { stepTrailerReader } from "../trailers/step-trailers.ts";
import { readTrailers, messageSubject } from "../trailers/trailer-block.ts";
import type { Trailer } from "../../ports/index.ts";

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
  const found: Logged[] = [];
  const readSteps = stepTrailerReader(TRAILER_FAMILIES);
  const onOutput = splitRecords(MAX_MESSAGE_BYTES, ({ bytes }) => {
    const [names = "", author = "", date = "", ...lines] = bytes.toString("utf8").split("\n");
    const [commit = "", tree = "", ...parents] = names.split(" ");
    const message = lines.join("\n").trimEnd();
    const steps = readSteps(message);
    const trailers = readTrailers(message).filter(({ key }) => isStepTrailer(key));
    const subject = messageSubject(message);
    found.push({
      commit,
      tree,
      parents,
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
  const left = await withoutSquashed(run, found);
  const reverted = findReverted(
    left.map(({ commit, subject, message }) => revertible(commit, subject, message, left)),
  );
  return left.map((one) => ({ ...one, isReverted: reverted.has(one.commit) }));
}

interface Logged extends Omit<BranchCommit, "isReverted"> {
  readonly tree: string;
  readonly parents: readonly string[];
}

/**
 * Without the commits that the base has as a squash.
 *
 * Where the branch was joined with it, the merge has the very tree of the base's commit. So all that lies before it on
 * the branch's side is in the base already, and a later merge brings none of it.
 */
async function withoutSquashed(run: RunGit, found: readonly Logged[]): Promise<readonly Logged[]> {
  const byName = new Map(found.map((one) => [one.commit, one]));
  const joins = found.filter(
    ({ parents: [own, other] }) => own !== undefined && other !== undefined && !byName.has(other),
  );
  if (joins.length === 0) return found;
  const trees = await run({
    args: ["rev-parse", ...joins.map(({ parents }) => `${parents[1]}^{tree}`)],
    access: "read",
  });
  const baseTrees = trees.trim().split("\n");
  const open = joins.filter(({ tree }, index) => tree === baseTrees[index]).map(({ commit }) => commit);
  const squashed = new Set<string>();
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (squashed.has(name)) continue;
    squashed.add(name);
    open.push(...(byName.get(name)?.parents ?? []));
  }
  return found.filter(({ commit }) => !squashed.has(commit));
}

/**
 * The steps of a branch that is one commit ahead of its base, read from that commit's file; undefined leaves them to git.
 *
 * A worker's branch is always so, and asking git takes longer than all the rest of its message.
 */
export function looseStep(
  commonDir: string,
  base: string,
  branch: string,
): Pick<BranchCommit, "steps" | "subject" | "isReverted"> | undefined {
  const { parents = [], message } = looseCommit(commonDir, branch) ?? {};
  const [parent] = parents;
  if (message === undefined || parent === undefined || parents.length > 1) return undefined;
  if (!isLooseAncestor(commonDir, parent, base)) return undefined;
  const steps = stepTrailerReader(TRAILER_FAMILIES)(message)?.steps ?? [];
  return { steps, subject: messageSubject(message.trimEnd()), isReverted: false };
}

const FORMAT = "--format=tformat:%H %T %P%n%an <%ae>%n%ad%n%B";

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
