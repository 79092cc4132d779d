import { Failure } from "../../domain/index.ts";
import type { Heartbeat, MadeCommit, Sql } from "../../platform/ports/index.ts";
import {
  announce,
  closeIntent,
  commit,
  findIntent,
  type Goal,
  landAndComplete,
  treeChanged,
} from "../../commits/index.ts";
import { earlierCommit, holdsEverything } from "./earlier-commit.ts";
import { checksKey, type Verdict } from "../../verification/index.ts";
import { mayCheckElsewhere } from "../verify/check-folder.ts";
import { keepTreeVerdict } from "../verify/known-verdict.ts";
import { checksOf, type Verification, verifyStep } from "../verify/verify-step.ts";
import type { ClaimedStep } from "../../steps/index.ts";
import { goalOfWorker, workerCaller, type Worker } from "../work/worker.ts";

/** How the way from a passed verdict to a completed step ended. */
export type LandOutcome =
  | { readonly kind: "completed"; readonly commit: string }
  /** The commit's tree is not the one that was verified: a hook or another program changed files. */
  | { readonly kind: "changed" }
  /** A hook or git refused. */
  | { readonly kind: "refused"; readonly said: string }
  /** Git could not sign: the agent has no part in that. */
  | { readonly kind: "unsigned"; readonly said: string }
  /** It fails together with what landed meanwhile. */
  | {
      readonly kind: "rejected";
      readonly verdict: Verdict;
      readonly tip: string;
      /** What lies in the worktree. */
      readonly own: string;
    }
  /** Others landed on the remote meanwhile: it is built and verified on top of that. */
  | { readonly kind: "overtaken" }
  /** The remote cannot be reached, or refuses: the verified work waits to land. */
  | {
      readonly kind: "waiting";
      readonly problem: "remote/unreachable" | "remote/refused";
      readonly said: string;
      readonly output: readonly string[];
    }
  /** It is not known whether it passes together with what landed meanwhile. */
  | { readonly kind: "unjudged"; readonly seen: Exclude<Verification, { kind: "verdict" }> }
  | {
      readonly kind: "conflict";
      readonly files: readonly string[];
      readonly commit: string;
      readonly said: string;
    };

/** Commits exactly what was verified, brings it to the plan's branch, and completes the step with it. */
export async function landStep(
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat,
  { verdict, ownWords }: { readonly verdict: Verdict; readonly ownWords: readonly string[] },
): Promise<LandOutcome> {
  const judge = mergeJudge(worker, held, heart);
  const earlier = await earlierCommit(worker, held);
  const isStagedWhole = earlier === undefined && worker.asked?.request.paths === undefined;
  if (!isStagedWhole && (await treeNow(worker)) !== verdict.tree) return { kind: "changed" };
  try {
    const landed =
      earlier !== undefined && (await holdsEverything(worker, held, earlier))
        ? await completeWith(worker, held, { commit: earlier, judge })
        : await commitNow(worker, held, { verdict, isStagedWhole, judge, ownWords });
    worker.report({ event: "completed", step: held.anchor, commit: landed });
    return { kind: "completed", commit: landed };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.problem === "run/tree-changed") return { kind: "changed" };
    if (error.problem === "landing/rejected") return judge.outcome()!;
    const waits = await notPushed(worker, held, error);
    if (waits) return waits;
    if (NOT_COMMITTED.has(error.problem) && (await wasOvertaken(worker, held, earlier)))
      return landStep(worker, held, heart, { verdict, ownWords });
    if (error.problem === "commit/not-signed") return { kind: "unsigned", said: saidBy(error) };
    if (error.problem === "commit/refused" || error.problem === "merge/refused")
      return { kind: "refused", said: saidBy(error) };
    if (error.problem !== "merge/conflicts") throw error;
    const { files = [], commit: made = "" } = error.details as { files?: readonly string[]; commit?: string };
    return { kind: "conflict", files, commit: made, said: error.message };
  }
}

/** Says nothing about the work: another clone was faster, or the remote did not take it. */
const isAboutRemote = (problem: string): problem is (typeof ABOUT_REMOTE)[number] =>
  (ABOUT_REMOTE as readonly string[]).includes(problem);

const ABOUT_REMOTE = ["landing/overtaken", "remote/unreachable", "remote/refused"] as const;

/**
 * What a push that was not made means for the step. Its commit is made anew on top of what landed, so the intent of this
 * one is over, unless it may have arrived: then the remote will tell.
 */
async function notPushed(
  worker: Worker,
  { plan: plan_path, anchor, claim }: ClaimedStep,
  { problem, message: said, details }: Failure,
): Promise<LandOutcome | undefined> {
  if (!isAboutRemote(problem)) return undefined;
  const database = await worker.ports.database();
  await database.write(async (sql) => {
    const intent = await sql.get(findIntent, { plan_path, anchor, claim });
    // A person or an agent of theirs calls again, and continues with the commit that is made.
    const isOver = problem === "landing/overtaken" || worker.integration !== undefined;
    if (isOver && intent?.branch === null)
      await sql.run(closeIntent, { plan_path, anchor, claim, commit_hash: null, now: sql.now });
  });
  if (problem === "landing/overtaken") {
    worker.report({ event: "note", text: `${anchor}: ${said} It is built and verified on top of that.` });
    return { kind: "overtaken" };
  }
  return {
    kind: "waiting",
    problem,
    said,
    output: (details["output"] as readonly string[] | undefined) ?? [],
  };
}

const treeNow = async ({ ports, session }: Worker): Promise<string> =>
  (await ports.commits()).tree(session.worktree);

/** As it looks, too, when the git of a runner that was killed commits first. */
const NOT_COMMITTED: ReadonlySet<string> = new Set(["commit/nothing", "commit/refused", "commit/not-signed"]);

async function wasOvertaken(worker: Worker, held: ClaimedStep, before: string | undefined): Promise<boolean> {
  const now = await earlierCommit(worker, held);
  return now !== undefined && now !== before;
}

const saidBy = ({ message, details }: Failure): string =>
  [message, ...((details["output"] as readonly string[] | undefined) ?? [])].join("\n");

interface ToCommit {
  readonly verdict: Verdict;
  readonly isStagedWhole: boolean;
  readonly judge: MergeJudge;
  readonly ownWords: readonly string[];
}

async function commitNow(
  worker: Worker,
  held: ClaimedStep,
  { verdict, isStagedWhole, judge, ownWords }: ToCommit,
): Promise<string> {
  const { ports, operand, asked } = worker;
  let landed: string | undefined;
  let refusal: Failure | undefined;
  const answer = await commit(ports, {
    plan: operand ?? held.plan,
    step: held.anchor,
    caller: workerCaller(worker, held),
    // A step may need no change; its commit says that it is done.
    allowEmpty: true,
    ...asked?.request,
    ...(isStagedWhole ? { tree: verdict.tree, ownWords } : {}),
    goal: judgedGoal(worker, judge),
    onRefused(error) {
      // Whatever else it is, such as a plan that changed or a step that is another's, is no judgement about the work.
      if (!ABOUT_THE_WORK.has(error.problem)) refusal = error;
    },
    onMade(made) {
      worker.report({ event: "committed", step: held.anchor, commit: made.commit });
      refuseOther(made, verdict);
    },
    onLanded(commit) {
      landed = commit;
    },
  });
  asked?.onAnswer(answer);
  if (refusal && isAboutRemote(refusal.problem)) throw refusal;
  // The last one repeats the refusal, which is reported as what becomes of the step.
  for (const warning of refusal ? answer.warnings.slice(0, -1) : answer.warnings)
    worker.warn(held.anchor, warning);
  if (refusal) throw refusal;
  if (answer.completed) return landed ?? answer.commitHash;
  throw new Failure("commit/refused", answer.stateFailureReason ?? "The step was not completed.", {});
}

/** The agent can do something about these. */
const ABOUT_THE_WORK: ReadonlySet<string> = new Set([
  "step/items-open",
  "step/substeps-open",
  "step/dependencies-open",
  "step/wrong-status",
]);

/** A hook may have rewritten files: what was not verified is not brought anywhere. */
function refuseOther(made: MadeCommit, verdict: Verdict): void {
  if (made.tree !== verdict.tree) throw treeChanged(verdict.tree, { committed: made.tree });
}

const judgedGoal = (worker: Worker, { approve }: MergeJudge): Goal | undefined => {
  const goal = goalOfWorker(worker);
  return goal && { ...goal, approve, rebuilds: worker.settings.landing.style === "linear" };
};

interface MergeJudge {
  readonly approve: NonNullable<Goal["approve"]>;
  /** Why a merge was not approved. */
  readonly outcome: () => LandOutcome | undefined;
}

/**
 * Verifies what a step's commit and what landed since make together.
 *
 * Where checks run in place, the worktree is brought to the merge: its branch is the worker's own.
 */
function mergeJudge(worker: Worker, held: ClaimedStep, heart: Heartbeat): MergeJudge {
  let outcome: LandOutcome | undefined;
  let broughtTo: string | undefined;
  const refuse = (why: string, found: LandOutcome) => {
    outcome = found;
    throw new Failure("landing/rejected", why, { anchor: held.anchor });
  };
  return {
    outcome: () => outcome,
    async approve({ commit: merge, tree }) {
      const { ports, session } = worker;
      const { worktree } = session;
      const branch = goalOfWorker(worker)!.from;
      const isMerged =
        checksKey(await checksOf(worker, held)) === undefined ||
        (await mayCheckElsewhere(worker, held, tree));
      if (!isMerged) {
        // A merge that was overtaken while it was checked does not lead on to the next one.
        const way = { branch, to: merge, ...(broughtTo === undefined ? {} : { from: broughtTo }) };
        const isThere = await (await ports.worktrees()).fastForward(worktree, way);
        if (!isThere || (await treeNow(worker)) !== tree)
          return refuse("The worktree is not at the merge.", { kind: "changed" });
        broughtTo = merge;
      }
      const seen = await verifyStep(worker, held, heart, { tree, base: merge, extended: false, isMerged });
      if (seen.kind !== "verdict")
        return refuse("The merge could not be verified.", { kind: "unjudged", seen });
      const { verdict } = seen;
      const checks = await checksOf(worker, held);
      const database = await ports.database();
      await database.write((sql) => keepTreeVerdict(sql, worker, held, { verdict, checks }));
      const branches = await ports.branches();
      const tip = (await branches.commits([`${merge}^1`])).get(`${merge}^1`)!;
      if (verdict.outcome === "passed") {
        const passenger = { ...held, branch: goalOfWorker(worker)!.branch };
        return announce(ports, passenger, { base: tip, baseTree: await branches.treeOf(tip), tree });
      }
      const own = await treeNow(worker);
      return refuse(`${verdict.because} together with what landed meanwhile.`, {
        kind: "rejected",
        verdict,
        tip,
        own,
      });
    },
  };
}

/** With a commit that an earlier claim had made, and this one has verified. */
async function completeWith(
  worker: Worker,
  held: ClaimedStep,
  { commit, judge }: { readonly commit: string; readonly judge: MergeJudge },
): Promise<string> {
  const { ports, operand } = worker;
  const { landed } = await landAndComplete(ports, {
    operand: operand ?? held.plan,
    plan: held.plan,
    anchor: held.anchor,
    caller: workerCaller(worker, held),
    claim: held.claim,
    commit,
    goal: judgedGoal(worker, judge),
    alongside: (sql) => closeUnder(sql, held, commit),
  });
  return landed;
}

async function closeUnder(
  sql: Sql,
  { plan, anchor, claim }: ClaimedStep,
  commit_hash: string,
): Promise<void> {
  await sql.run(closeIntent, { plan_path: plan, anchor, claim, commit_hash, now: sql.now });
}
