import { Failure } from "../../domain/index.ts";
import type { MadeCommit, Sql } from "../../platform/ports/index.ts";
import { closeIntent, commit, type Goal, landAndComplete, treeChanged } from "../../commits/index.ts";
import { earlierCommit, holdsEverything } from "./earlier-commit.ts";
import type { Verdict } from "../../verification/index.ts";
import type { ClaimedStep } from "../../steps/index.ts";
import { workerCaller, type Worker } from "../work/worker.ts";

/** How the way from a passed verdict to a completed step ended. */
export type LandOutcome =
  | { readonly kind: "completed"; readonly commit: string }
  /** The commit's tree is not the one that was verified: a hook or somebody else changed files. */
  | { readonly kind: "changed" }
  /** A hook or git refused. */
  | { readonly kind: "refused"; readonly said: string }
  /** Git could not sign: the agent has no part in that. */
  | { readonly kind: "unsigned"; readonly said: string }
  | {
      readonly kind: "conflict";
      readonly files: readonly string[];
      readonly commit: string;
      readonly said: string;
    };

/** Commits exactly what was verified, brings it to the plan's branch, and completes the step with it. */
export async function landStep(worker: Worker, held: ClaimedStep, verdict: Verdict): Promise<LandOutcome> {
  const earlier = await earlierCommit(worker, held);
  const isStagedWhole = earlier === undefined && worker.asked?.request.paths === undefined;
  if (!isStagedWhole && (await treeNow(worker)) !== verdict.tree) return { kind: "changed" };
  try {
    const landed =
      earlier !== undefined && (await holdsEverything(worker, held, earlier))
        ? await completeWith(worker, held, earlier)
        : await commitNow(worker, held, verdict, isStagedWhole);
    worker.report({ event: "completed", step: held.anchor, commit: landed });
    return { kind: "completed", commit: landed };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.problem === "run/tree-changed") return { kind: "changed" };
    if (NOT_COMMITTED.has(error.problem) && (await wasOvertaken(worker, held, earlier)))
      return landStep(worker, held, verdict);
    if (error.problem === "commit/not-signed") return { kind: "unsigned", said: saidBy(error) };
    if (error.problem === "commit/refused" || error.problem === "merge/refused")
      return { kind: "refused", said: saidBy(error) };
    if (error.problem !== "merge/conflicts") throw error;
    const { files = [], commit: made = "" } = error.details as { files?: readonly string[]; commit?: string };
    return { kind: "conflict", files, commit: made, said: error.message };
  }
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

async function commitNow(
  worker: Worker,
  held: ClaimedStep,
  verdict: Verdict,
  isStagedWhole: boolean,
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
    ...(isStagedWhole ? { tree: verdict.tree, extendsOwn: asked === undefined } : {}),
    goal: goalOfWorker(worker),
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
  for (const warning of answer.warnings) worker.warn(held.anchor, warning);
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

const goalOfWorker = ({ integration, branch }: Worker): Goal | undefined =>
  integration === undefined || branch === undefined ? undefined : { branch: integration, from: branch };

/** With a commit that an earlier claim had made, and this one has verified. */
async function completeWith(worker: Worker, held: ClaimedStep, commit: string): Promise<string> {
  const { ports, operand } = worker;
  const { landed } = await landAndComplete(ports, {
    operand: operand ?? held.plan,
    plan: held.plan,
    anchor: held.anchor,
    caller: workerCaller(worker, held),
    claim: held.claim,
    commit,
    goal: goalOfWorker(worker),
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
