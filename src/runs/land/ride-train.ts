import {
  announce,
  type Candidate,
  type Ground,
  groundOf,
  type Passenger,
  planTip,
  rebaseWork,
  stepsAhead,
  type WorkToRebase,
} from "../../commits/index.ts";
import { journal } from "../../journal/index.ts";
import { type LandingRow, lazy } from "../../platform/index.ts";
import type { Heartbeat } from "../../platform/ports/index.ts";
import { checksKey, type Verdict } from "../../verification/index.ts";
import type { ClaimedStep } from "../../steps/index.ts";
import { goalOfWorker, type Worker, workerEntry } from "../work/worker.ts";
import { mayCheckElsewhere } from "../verify/check-folder.ts";
import { beginningOf, proveTests } from "../verify/prove-tests.ts";
import { checksOf, type Verification, verifyStep } from "../verify/verify-step.ts";
import { trainMoved, trainMoves, untilTrainMoves } from "./train-moves.ts";

/** A verdict about the tree that a step lands as. */
export interface LandingVerdict {
  readonly kind: "verdict";
  readonly verdict: Verdict;
  /** Undefined where the step's commit stays on the branch that it is made on. */
  readonly candidate: Landable | undefined;
}

export interface Landable extends Candidate {
  /** The commit that the plan's branch is at, whose tree the candidate was built on. */
  readonly tip: string;
  /** What lies in the worktree. */
  readonly own: string;
  /** Whether the candidate is more than the agent's work: others landed meanwhile. */
  readonly isMerged: boolean;
  /** Whether the work was put into the index while it waited. */
  readonly isStaged?: boolean | undefined;
}

/** The work and what landed meanwhile changed the same lines. */
export interface LandingConflict {
  readonly kind: "conflict";
  readonly files: readonly string[];
  /** Both, with the conflicts marked in the files. */
  readonly tree: string;
  readonly tip: string;
  readonly own: string;
}

export type Ride = LandingVerdict | LandingConflict | Exclude<Verification, { kind: "verdict" }>;

interface Fare {
  /** What lies in the worktree. */
  readonly tree: string;
  readonly extended: boolean;
}

/**
 * Verifies a step as it will land: on top of the plan's branch and of the steps ahead of it, while those are verified.
 *
 * It answers once nothing is ahead of it any more and the branch has the very tree that it was built on. When a step
 * ahead leaves the train, those behind it are built and verified again.
 */
export async function rideTrain(
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat,
  { tree, extended }: Fare,
): Promise<Ride> {
  const goal = goalOfWorker(worker);
  if (goal === undefined || worker.settings.landing.style === "merge")
    return verifyAlone(worker, held, heart, { tree, extended });
  const passenger = { plan: held.plan, anchor: held.anchor, claim: held.claim, branch: goal.branch };
  const looksAhead = lazy(
    async () =>
      checksKey(await checksOf(worker, held)) === undefined || mayCheckElsewhere(worker, held, tree),
  );
  const waits = waitReporter(worker, held);
  let own = tree;
  let isStaged = false;
  for (;;) {
    const seenMoves = trainMoves();
    const { ground, behind } = await groundOf(worker.ports, passenger);
    const isFirst = behind === undefined;
    const built =
      ground && (isFirst || (await looksAhead())) ? await buildOn(worker, own, ground) : undefined;
    if (built?.kind === "conflicts" && isFirst && ground)
      return { kind: "conflict", files: built.files, tree: built.tree, tip: ground.commit, own };
    if (built?.kind !== "clean") {
      const over = await waitABit(worker, heart, { seen: seenMoves, behind: riderOf(behind) });
      if (over) return over;
      continue;
    }
    const { candidate } = built;
    const isMerged = candidate.tree !== own;
    if (isMerged && !(await looksAhead())) {
      await rebase(worker, held, { own, candidate, onto: candidate.base, isCommittedNext: false });
      own = candidate.tree;
      continue;
    }
    await announce(worker.ports, passenger, candidate);
    trainMoved();
    const passed = await verifyStep(worker, held, heart, {
      tree: candidate.tree,
      base: candidate.base,
      extended,
      isMerged,
    });
    const seen = await proveTests(worker, held, passed, async () => candidate.base);
    if (seen.kind !== "verdict") return seen;
    const onWait = async (behind: string) => {
      await waits(behind, candidate, seen.verdict);
      isStaged = await stageAhead(worker);
    };
    const turn = await awaitTurn(worker, heart, { passenger, candidate, onWait });
    if (turn.kind === "rebuild") continue;
    if (turn.kind !== "first") return turn;
    const landable = { ...candidate, tip: turn.tip, own, isMerged: candidate.tree !== tree, isStaged };
    return { ...seen, candidate: landable };
  }
}

/** Verifies a step whose commit stays on the branch that it is made on. */
async function verifyAlone(worker: Worker, held: ClaimedStep, heart: Heartbeat, fare: Fare): Promise<Ride> {
  const passed = await verifyStep(worker, held, heart, fare);
  const seen = await proveTests(worker, held, passed, () => beginningOf(worker, held));
  return seen.kind === "verdict" ? { ...seen, candidate: undefined } : seen;
}

type Built =
  | { readonly kind: "clean"; readonly candidate: Candidate }
  | { readonly kind: "conflicts"; readonly files: readonly string[]; readonly tree: string };

/** The tree that the work of the worktree and what it lands on make together. */
async function buildOn({ ports, session }: Worker, own: string, ground: Ground): Promise<Built> {
  const [commits, branches] = await Promise.all([ports.commits(), ports.branches()]);
  const at = { base: ground.commit, baseTree: ground.tree };
  const head = await commits.head(session.worktree);
  if (head === undefined || head === ground.commit) return { kind: "clean", candidate: { ...at, tree: own } };
  const work = await branches.commitTree({ tree: own, parent: head, message: "Work that is to land" });
  const merged = await branches.mergedTree(ground.commit, work);
  if (merged.kind === "conflicts") return merged;
  return { kind: "clean", candidate: { ...at, tree: merged.kind === "nothing" ? ground.tree : merged.tree } };
}

/** Brings the worktree to where its work lands. */
export async function rebase(
  worker: Worker,
  { anchor }: ClaimedStep,
  {
    own,
    candidate,
    onto,
    isCommittedNext,
  }: Pick<WorkToRebase, "onto" | "isCommittedNext"> & {
    readonly own: string;
    readonly candidate: Pick<Landable, "tree" | "isStaged">;
  },
): Promise<void> {
  const { ports, session } = worker;
  const { worktree } = session;
  const branch = goalOfWorker(worker)!.from;
  const { tree: merged, isStaged } = candidate;
  await rebaseWork(ports, { worktree, branch, anchor, tree: own, onto, merged, isCommittedNext, isStaged });
}

/** What a landing needs first is done while those ahead land. A person's own index stays as it is. */
async function stageAhead({ ports, session, integration }: Worker): Promise<boolean> {
  if (integration === undefined) return false;
  await (await ports.commits()).stage(session.worktree, undefined);
  return true;
}

type Turn =
  | { readonly kind: "first"; readonly tip: string }
  | { readonly kind: "rebuild" }
  | { readonly kind: "cut" };

interface Waiting {
  readonly passenger: Passenger;
  readonly candidate: Candidate;
  /** Called once, with the step ahead. */
  readonly onWait: (behind: string) => Promise<void>;
}

/** Says in the journal which tree waits behind which step, and in the run's output once for each step ahead. */
function waitReporter(worker: Worker, held: ClaimedStep) {
  let said = "";
  return async (behind: string, { tree }: Candidate, { outcome }: Verdict): Promise<void> => {
    const detail = { branch: goalOfWorker(worker)!.branch, behind, tree, outcome };
    const database = await worker.ports.database();
    await database.write((sql) =>
      journal(sql, { event: "waits-to-land", ...workerEntry(worker, held), detail }),
    );
    const now = `${behind} ${outcome}`;
    if (now !== said) worker.report({ event: "waits-to-land", step: held.anchor, behind, outcome });
    said = now;
  };
}

async function awaitTurn(
  worker: Worker,
  heart: Heartbeat,
  { passenger, candidate: { baseTree }, onWait }: Waiting,
): Promise<Turn> {
  let isSaid = false;
  for (;;) {
    const seen = trainMoves();
    const last = (await stepsAhead(worker.ports, passenger)).at(-1);
    if (last === undefined) {
      const tip = await planTip(worker.ports, passenger);
      const tree = await (await worker.ports.branches()).treeOf(tip);
      return tree === baseTree ? { kind: "first", tip } : { kind: "rebuild" };
    }
    if (last.tree !== baseTree) return { kind: "rebuild" };
    if (!isSaid) await onWait(last.anchor);
    isSaid = true;
    const over = await waitABit(worker, heart, { seen, behind: riderOf(last) });
    if (over) return over;
  }
}

const riderOf = (ahead: LandingRow | undefined) => ahead && { plan: ahead.plan_path, anchor: ahead.anchor };

async function waitABit(
  worker: Worker,
  heart: Heartbeat,
  since: Parameters<typeof untilTrainMoves>[1],
): Promise<{ readonly kind: "cut" } | undefined> {
  if (heart.isLost() || worker.interruption.signal() !== undefined) return { kind: "cut" };
  await untilTrainMoves(worker, since);
  return undefined;
}
