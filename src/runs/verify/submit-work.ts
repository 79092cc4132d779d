import { Failure, isOpenItem } from "../../domain/index.ts";
import { runSettingsOf, workflowOf } from "../../agents/index.ts";
import type { Heartbeat, Interruption, Ports, Worktree } from "../../platform/ports/index.ts";
import { type Evidence, listVerdicts, MOST_ATTEMPTS } from "../../verification/index.ts";
import type { OpenSession } from "../../sessions/index.ts";
import { goalOf } from "../../commits/index.ts";
import { savedPlan, savedStep } from "../../plans/index.ts";
import { type ClaimedStep, start, type StepView, tickableItems } from "../../steps/index.ts";
import { isLoss } from "./attempt.ts";
import { agentPauses } from "../assign/agent-pauses.ts";
import { viewOfStep } from "../work/step-view.ts";
import { verifyAndLand } from "./verify-and-land.ts";
import { publishAfter } from "../publish/publish-after.ts";
import type { AskedCommit, Worker } from "../work/worker.ts";

export interface Submission {
  readonly planPath: string;
  readonly anchor: string;
  readonly outcome:
    | "completed"
    /** Not good enough yet: the step is still the agent's. */
    | "rejected"
    /** A person must decide. */
    | "blocked"
    | "cancelled"
    /** The judge cannot be asked now. */
    | "paused"
    /** The runner that started the agent verifies and commits once the agent ends. */
    | "handed_over"
    | "lost";
  readonly because: string;
  readonly commit: string | null;
  readonly evidence: readonly Evidence[];
  readonly attemptsLeft: number;
  readonly allCompleted: boolean;
}

export interface SubmitRequest {
  readonly held: ClaimedStep;
  readonly worktree: Worktree;
  readonly session: OpenSession | undefined;
  /** The session of the runner, where one started the agent. */
  readonly supervised: string | undefined;
  readonly heart: Heartbeat | undefined;
  readonly leaseSeconds: number;
  readonly interruption: Interruption;
  readonly nextCheckpoint: () => number;
  /** How the plan is called from where the caller is; by its key when left out. */
  readonly operand?: string | undefined;
  readonly asked?: AskedCommit | undefined;
  readonly report?: Worker["report"] | undefined;
}

/**
 * The agent says that it is done; Pawl looks for itself.
 *
 * Open items are reported without counting an attempt: the agent has forgotten something, and nothing was judged.
 */
export async function submitWork(ports: Ports, request: SubmitRequest): Promise<Submission> {
  const { held, session, heart, worktree } = request;
  try {
    const view = await viewOfStep(ports, held);
    if (view.status === "claimed" && session)
      await start(ports, {
        plan: request.operand ?? held.plan,
        step: held.anchor,
        caller: { worktree, claim: held.claim, session: session.id },
      });
    refuseOpenItems(held, view);
    if (request.supervised !== undefined) return await answerOf(ports, held, "handed_over", HANDED_OVER);
    if (!session || !heart) throw new Failure("session/over", "The session of this step is over.", {});
    const warned: string[] = [];
    const worker = await workerOf(ports, request, session, (_step, text) => warned.push(text));
    const end = await verifyAndLand(worker, held, heart, { extended: false, tree: undefined });
    if (end.kind === "completed") await publishAfter(ports, worker, (text) => warned.push(text));
    const [outcome, because] = told(end);
    const answer = await answerOf(ports, held, outcome, [because, ...warned].join("; "));
    return end.kind === "completed" ? { ...answer, commit: end.commit } : answer;
  } catch (error) {
    if (!isLoss(error)) throw error;
    return answerOf(ports, held, "lost", error.message);
  }
}

function told(end: Awaited<ReturnType<typeof verifyAndLand>>): readonly [Submission["outcome"], string] {
  if (end.kind === "completed") return ["completed", "verified and committed"];
  if (end.kind === "go") return ["rejected", end.value];
  if (end.kind === "blocked") return ["blocked", `${end.reason}: ${end.note}`];
  if (end.kind === "lost") return ["lost", end.because];
  if (end.kind === "interrupted") return ["cancelled", "verification was cancelled; you still hold the step"];
  if (end.kind === "limit") return ["paused", "a limit is reached; you still hold the step"];
  return ["paused", `${end.agent} cannot be reached now; you still hold the step`];
}

const HANDED_OVER = "the run that started you verifies and commits when you end";

/** A command of a verification that is called off has this long to leave: the caller may be gone. */
const GRACE_MS = 400;

async function workerOf(
  ports: Ports,
  { held, interruption, leaseSeconds, nextCheckpoint, operand, asked, report }: SubmitRequest,
  session: OpenSession,
  warn: Worker["warn"],
): Promise<Worker> {
  const running = await ports.running();
  const commits = await ports.commits();
  const goal = await goalOf(ports, held.plan, await commits.branch(session.worktree));
  const settings = runSettingsOf(ports);
  return {
    number: 1,
    ports,
    running,
    settings,
    config: {
      plan: held.plan,
      workflow: settings.workflow,
      agent: settings.agent ?? "command",
      workers: 1,
      wait: false,
      leaseSeconds,
      graceMs: GRACE_MS,
    },
    workflow: workflowOf(settings, settings.workflow),
    session,
    nextCheckpoint,
    hasBegun: () => true,
    plan: held.plan,
    operand: operand ?? held.plan,
    branch: undefined,
    integration: undefined,
    goal,
    only: held.anchor,
    interruption,
    pauses: agentPauses(),
    report: report ?? (() => undefined),
    warn,
    asked,
  };
}

function refuseOpenItems({ plan, anchor }: ClaimedStep, step: StepView): void {
  const open = [step, ...step.substeps.filter(({ status }) => status !== "completed")].flatMap((each) =>
    tickableItems(each)
      .filter(isOpenItem)
      .map(({ kind, ordinal, text, status }) => ({
        anchor: each.anchor,
        kind,
        ordinal,
        text,
        status,
      })),
  );
  if (open.length === 0) return;
  throw new Failure("step/items-open", `${anchor} has ${open.length} open items.`, {
    plan_path: plan,
    anchor,
    incomplete_items: open,
  });
}

async function answerOf(
  ports: Ports,
  { plan, anchor, claim }: ClaimedStep,
  outcome: Submission["outcome"],
  because: string,
): Promise<Submission> {
  const database = await ports.database();
  const { step, verdict, isDone } = await database.read(async (sql) => ({
    step: await savedStep(sql, plan, anchor),
    verdict: (await sql.all(listVerdicts, { plan_path: plan, anchor })).findLast(
      (one) => one.claim === claim,
    ),
    isDone: (await savedPlan(sql, plan)).status === "done",
  }));
  return {
    planPath: plan,
    anchor,
    outcome,
    because,
    commit: null,
    evidence: verdict ? (JSON.parse(verdict.evidence) as readonly Evidence[]) : [],
    attemptsLeft: Math.max(0, MOST_ATTEMPTS - step.verification_attempts),
    allCompleted: isDone,
  };
}
