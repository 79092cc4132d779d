import { Failure, type Instant, toInstant, TRAILER_FAMILIES } from "../../../domain/index.ts";
import { emptyCommits } from "../objects/empty-commits.ts";
import { splitRecords, type StreamRecord } from "../process/git-output.ts";
import type { RunGit } from "../process/run-git.ts";
import { nameCommits } from "../refs/name-commits.ts";
import { type MessageStatement, readStatement, type SquashedSteps, UNREADABLE } from "./commit-statement.ts";
import { findReverted, type Revert, type RevertedTargets, type Revertible } from "./find-reverted.ts";
import { stepTrailerReader, type StepTrailers } from "./step-trailers.ts";
import type { TrailerEntry, TrailerQuery } from "../../ports/index.ts";

/**
 * What the commits of some branches say about steps: the evidence that `reconcile` weighs.
 *
 * Only what is reachable counts, since an abandoned branch proves nothing. What was reverted is reported as such. Of a
 * squash merge the messages of its parts are read, and held against the parts themselves while git still has them.
 */
export async function readStepTrailers(run: RunGit, query: TrailerQuery): Promise<readonly TrailerEntry[]> {
  const prefixes = (query.prefixes ?? TRAILER_FAMILIES).filter((prefix) => /^[A-Za-z0-9-]+$/.test(prefix));
  const heads = [...new Set((await nameCommits(run, query.refs)).values())];
  if (heads.length === 0 || prefixes.length === 0) return [];
  const log = logReader(run, prefixes);
  const history = await withoutEmptyReverts(run, await log.history(heads));
  if (!history.some(({ steps, squashed }) => steps !== undefined || squashed.length > 0)) return [];

  const names = await nameCommits(run, history.flatMap(namesIn));
  const reachable = new Map(history.map((statement) => [statement.commit, statement]));
  const strangers = await log.single([...names.values()].filter((name) => !reachable.has(name)));
  const known: Known = { names, reachable, strangers, merged: await mergedBy(run, history, names) };

  const revertedBy = findReverted(history.flatMap((statement) => revertibles(statement, known)));
  return history.flatMap((statement) => entriesOf(statement, known, revertedBy));
}

/** A revert that changes nothing takes nothing back: what it speaks of is still there. */
async function withoutEmptyReverts(
  run: RunGit,
  history: readonly CommitStatement[],
): Promise<readonly CommitStatement[]> {
  const reverting = history.filter(({ reverts }) => reverts.length > 0).map(({ commit }) => commit);
  const empty = await emptyCommits(run, reverting);
  return empty.size === 0
    ? history
    : history.map((statement) => (empty.has(statement.commit) ? { ...statement, reverts: [] } : statement));
}

const MAX_MERGES = 1_000;

interface Known {
  /** Full object names of the commits that messages speak of, as far as they exist. */
  readonly names: ReadonlyMap<string, string>;
  readonly reachable: ReadonlyMap<string, CommitStatement>;
  /** Commits that messages speak of and that are not reachable, or say nothing. */
  readonly strangers: ReadonlyMap<string, CommitStatement>;
  /** What each reverted merge had brought in. */
  readonly merged: ReadonlyMap<Revert, readonly string[]>;
}

const namesIn = ({ reverts, squashed }: CommitStatement): readonly string[] =>
  [
    ...reverts.flatMap(({ commit, mainline }) => [commit, mainline]),
    ...squashed.map(({ commit }) => commit),
  ].filter((name) => name !== undefined);

/** The revert of a merge takes back every commit that the merge brought to its main line, one question each. */
async function mergedBy(
  run: RunGit,
  history: readonly CommitStatement[],
  names: Known["names"],
): Promise<Known["merged"]> {
  const merges = history.flatMap(({ reverts }) => reverts).filter(({ mainline }) => mainline !== undefined);
  if (merges.length > MAX_MERGES) {
    const message = `This history reverts ${merges.length} merges, more than can be followed.`;
    throw new Failure("git/failed", message, { merges: merges.length, limit: MAX_MERGES });
  }
  const merged = new Map<Revert, readonly string[]>();
  for (const revert of merges) {
    const [merge, mainline] = [names.get(revert.commit), names.get(revert.mainline ?? "")];
    if (merge === undefined || mainline === undefined) continue;
    const listed = await run({ args: ["rev-list", merge, `^${mainline}`, "--"], access: "read" });
    merged.set(revert, listed.split("\n"));
  }
  return merged;
}

/** A commit and, right behind it, those folded into it: a clone that still has the originals can revert one of them alone. */
function revertibles(
  { commit, subject, reverts, squashed }: CommitStatement,
  known: Known,
): readonly Revertible[] {
  const parts = squashed.map((part, index) => ({
    id: partId(commit, part, index),
    subject: part.subject,
    reverts: [],
  }));
  return [{ id: commit, subject, reverts: reverts.map((revert) => targetsOf(revert, known)) }, ...parts];
}

const partId = (commit: string, part: SquashedSteps, index: number): string =>
  part.commit ?? `${commit}#${index}`;

/**
 * Which commits of the history a revert means.
 *
 * A rebase renames commits, but the messages of their reverts keep the old names. So a name that is unknown, or that
 * is an unreachable commit with something to say, stands for the commit of that title.
 */
function targetsOf(revert: Revert, { names, reachable, strangers, merged }: Known): RevertedTargets {
  const name = names.get(revert.commit);
  if (name === undefined) return { ids: [revert.commit], subject: revert.subject };
  const stranger = reachable.has(name) ? undefined : strangers.get(name);
  const subject = stranger !== undefined && bearsOnSteps(stranger) ? stranger.subject : undefined;
  return { ids: [name, ...(merged.get(revert) ?? [])], subject };
}

const bearsOnSteps = ({ steps, squashed, reverts }: CommitStatement): boolean =>
  steps !== undefined || squashed.length > 0 || reverts.length > 0;

function entriesOf(
  { commit, committedAt, steps: own, squashed }: CommitStatement,
  known: Known,
  revertedBy: ReadonlyMap<string, string>,
): readonly TrailerEntry[] {
  const entry = (steps: StepTrailers, via: TrailerEntry["via"], id: string): TrailerEntry => ({
    commit,
    plan: steps.plan,
    plans: steps.plans,
    steps: steps.steps,
    claim: steps.claim,
    claims: steps.claims,
    contents: steps.contents,
    signatures: steps.signatures,
    committedAt,
    via,
    revertedBy: revertedBy.get(commit) ?? revertedBy.get(id),
    ambiguous: steps.doubt,
  });
  const said = new Set(own?.plan === undefined ? [] : own.steps);
  // A part that is signed is never hidden behind a trailer that any program could have put on top.
  const unsaid = (steps: StepTrailers): StepTrailers =>
    steps.plan === own?.plan && steps.signatures.length === 0
      ? only(steps, (step) => !said.has(step))
      : steps;
  const entries = squashed
    .map((part, index) => entry(unsaid(verified(part, known)), "squash", partId(commit, part, index)))
    .filter(({ steps, ambiguous }) => steps.length > 0 || ambiguous === "too-large");
  return own === undefined ? entries : [entry(own, "trailer", commit), ...entries];
}

/** Takes of a folded commit only what its object says too; a message is easily edited, an object is not. */
function verified({ commit, steps }: SquashedSteps, { names, reachable, strangers }: Known): StepTrailers {
  const name = commit === undefined ? undefined : names.get(commit);
  if (name === undefined || steps.doubt !== undefined) return steps;
  const original = (reachable.get(name) ?? strangers.get(name))?.steps;
  return only(steps, (step) => original?.plan === steps.plan && original?.steps.includes(step) === true);
}

const only = (trailers: StepTrailers, keep: (step: string) => boolean): StepTrailers => ({
  ...trailers,
  steps: trailers.steps.filter(keep),
});

interface CommitStatement extends MessageStatement {
  readonly commit: string;
  readonly committedAt: Instant;
}

interface LogReader {
  /** What the commits reachable from some say about steps and reverts; descendants always before their ancestors. */
  readonly history: (heads: readonly string[]) => Promise<readonly CommitStatement[]>;
  /** The same of single commits, reachable or not, by name. */
  readonly single: (commits: readonly string[]) => Promise<ReadonlyMap<string, CommitStatement>>;
}

/**
 * Reads messages by `git log`, each at most once and never more than a limit of it.
 *
 * Only what may matter leaves git: in a long history nearly every message names neither a step nor a revert. The
 * pattern is wider than the parser, so it decides about speed and never about truth.
 */
function logReader(run: RunGit, prefixes: readonly string[]): LogReader {
  const readSteps = stepTrailerReader(prefixes);
  const read = async (
    commits: readonly string[],
    args: readonly string[],
  ): Promise<readonly CommitStatement[]> => {
    const statements: CommitStatement[] = [];
    if (commits.length === 0) return statements;
    const onOutput = splitRecords(MAX_MESSAGE_BYTES, (record) => {
      statements.push(readRecord(record, readSteps));
    });
    await run({ args: [...LOG, ...args], access: "read", input: `${commits.join("\n")}\n`, onOutput });
    return statements;
  };
  const pattern = `^[[:space:]]*(${prefixes.join("|")})-Step[[:space:]]*:|This reverts commit `;
  return {
    history: (heads) =>
      read(heads, ["--topo-order", "--extended-regexp", "--regexp-ignore-case", `--grep=${pattern}`]),
    async single(commits) {
      const statements = await read(commits, ["--no-walk=unsorted"]);
      return new Map(statements.map((statement) => [statement.commit, statement]));
    },
  };
}

const MAX_MESSAGE_BYTES = 1 << 20;

const LOG = [
  "log",
  "--stdin",
  "-z",
  "--encoding=UTF-8",
  "--format=tformat:%H%n%ct%n%B",
  // The reader's configuration may ask for signatures, which write between the records and run a program.
  "--no-show-signature",
];

function readRecord(
  { bytes, isCut }: StreamRecord,
  readSteps: Parameters<typeof readStatement>[1],
): CommitStatement {
  const [commit = "", seconds = "", ...message] = bytes.toString("utf8").split("\n");
  const committedAt = toInstant((Number.parseInt(seconds, 10) || 0) * 1000);
  return { ...(isCut ? UNREADABLE : readStatement(message.join("\n"), readSteps)), commit, committedAt };
}
