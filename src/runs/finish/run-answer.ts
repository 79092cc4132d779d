import { editedSteps, type Waiting } from "../../claims/index.ts";
import { type Instant, resumeCommandLine, type UsageView, usageView } from "../../domain/index.ts";
import type { Interruption, Ports } from "../../platform/ports/index.ts";
import { listOfferedSteps } from "../../plans/index.ts";
import { leaseClockOf, sumPlanUsage, sumRunUsage } from "../../sessions/index.ts";
import { type VerifiedBy, verificationsIn } from "../../steps/index.ts";
import type { MergeAnswer } from "../../worktrees/index.ts";
import type { RemoteAway } from "../assign/land-waiting.ts";
import type { BuildReview } from "../spec/review-build.ts";
import type { FullCulprit } from "../../verification/index.ts";
import type { Failing } from "../verify/failing-checks.ts";
import type { RunEvent } from "../work/run-event.ts";

export interface RunAnswer {
  readonly planPath: string | null;
  readonly runId: string;
  readonly sessions: readonly string[];
  readonly branch: string | null;
  /** Why it ended. */
  readonly ended: (typeof ENDED)[LoopEnd["kind"]] | "failed" | "reviewed" | "merged";
  readonly signal: string | null;
  readonly completed: readonly RunStep[];
  readonly blocked: Tally["blocked"];
  readonly waiting: readonly Waiting[];
  /** Optional steps that a person may ask for, where everything else is completed. */
  readonly offered?: readonly { readonly anchor: string; readonly title: string }[];
  readonly pausedUntil: Instant | null;
  readonly because: string | null;
  /** The limit that paused it, where it was one of its own. */
  readonly limit?: LimitReached;
  /** What broke the full check, where that ended the run. */
  readonly culprit?: FullCulprit | null;
  /** Where `--max-steps` ended it: how many those were, and the command for the next ones. */
  readonly enough?: { readonly maxSteps: number; readonly continueWith: string };
  /** How to go on, when there is something to go on with. */
  readonly resumeWith: string | null;
  /** All is completed, and the plan's branch has work that its base has not. */
  readonly toMerge: boolean;
  /** Why no check has verified what this run completed; null where checks did, and where nothing was completed. */
  readonly notVerified: string | null;
  readonly durationMs: number;
  /** What its agents used, also before it was resumed; null where nothing is on record. */
  readonly usage: UsageView | null;
  readonly warnings: readonly string[];
  /** What was found or done about a build that was there already, when that was all. */
  readonly review?: BuildReview;
  readonly merge?: MergeAnswer;
}

/** How the caller of a run hears of it, and stops it. */
export interface RunCallbacks {
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  readonly interruption?: Interruption | undefined;
  /** Called before a run throws after work had begun: what was done until then. */
  readonly onBroken?: ((answer: RunAnswer) => void) | undefined;
}

/** Why a worker stopped working. */
export type LoopEnd =
  | { readonly kind: "all-completed" }
  /** Nothing can be done now: the rest is blocked, held back, or waits for that. */
  | { readonly kind: "stuck"; readonly waiting: readonly Waiting[] }
  | { readonly kind: "enough" }
  /** Verification blocks step after step: to go on would only cost agents. */
  | { readonly kind: "halted"; readonly because: string }
  /** The full check fails on what has landed, and a person has to decide about it. */
  | { readonly kind: "full-failed"; readonly because: string; readonly culprit: FullCulprit }
  /** A person took its work while its process was stopped. */
  | { readonly kind: "taken-over"; readonly because: string }
  | {
      readonly kind: "interrupted";
      /** Whether the signal came when every step was completed. */
      readonly isAfterAll?: boolean;
    }
  | {
      readonly kind: "paused";
      readonly until: Instant | undefined;
      readonly because: string;
      /** Set where a limit of the run's own was reached. */
      readonly limit?: LimitReached | undefined;
      /** What must be added to the command that resumes it. */
      readonly resumeOption?: string | undefined;
    };

/** A limit that a person set and the work has reached. Cost in dollars. */
export interface LimitReached {
  readonly scope: "run" | "step";
  readonly kind: "cost" | "minutes";
  readonly limit: number;
  readonly used: number;
}

/** What the workers of a run have done so far. */
export interface Tally {
  readonly completed: RunStep[];
  readonly blocked: {
    readonly anchor: string;
    readonly title: string;
    readonly reason: string;
    readonly note: string;
    readonly said?: readonly string[] | undefined;
    readonly refused?: readonly string[] | undefined;
    /** The last lines of the check that did not pass. */
    readonly output?: readonly string[] | undefined;
    /** The file with its whole output. */
    readonly log?: string | undefined;
  }[];
  /** How many steps were begun, of those that `--max-steps` allows. */
  begun: number;
  /** The last steps that ended, as far as verification blocked each of them, in any run. */
  failing: readonly Failing[];
  /** The commit of the base that was last brought into the plan's branch, or could not be. */
  syncedTo: string | undefined;
  /** Why no worker of this run begins another step, once that is so. */
  halted: string | undefined;
  /** Called when a step has landed. */
  readonly onLanded?: (() => void) | undefined;
  /** Set while verified steps wait for a remote. */
  remoteAway?: RemoteAway | undefined;
}

export interface RunStep {
  readonly anchor: string;
  readonly title: string;
  readonly commit: string;
  readonly durationMs: number;
  /** How it was verified; left out while the run goes. */
  readonly verification?: VerifiedBy | undefined;
  /** What its agents used; left out while the run goes, null where nothing is on record. */
  readonly usage?: UsageView | null | undefined;
}

/** What a run is called in an answer by how it ended; the first of these matters most to the person who started it. */
const ENDED = {
  interrupted: "interrupted",
  paused: "paused",
  halted: "halted",
  "taken-over": "taken_over",
  "full-failed": "full_failed",
  stuck: "stuck",
  enough: "enough",
  "all-completed": "all_completed",
} as const satisfies Record<LoopEnd["kind"], string>;

/** Whether the session of a worker that ended so can be resumed. */
export const isOpen = (end: LoopEnd): boolean =>
  (end.kind === "interrupted" && !isAfterAll(end)) || end.kind === "paused" || end.kind === "halted";

export const isAfterAll = (end: LoopEnd): boolean => end.kind === "interrupted" && end.isAfterAll === true;

const waitingOf = (end: LoopEnd): readonly Waiting[] => (end.kind === "stuck" ? end.waiting : []);

/** What the ends of all workers say about the run. */
export function summary(
  ends: readonly LoopEnd[],
  sessions: readonly string[],
  interruption: Interruption | undefined,
) {
  // Where one worker saw the whole plan completed, what another waited for in vain before is done too.
  const isAllDone = ends.some(({ kind }) => kind === "all-completed");
  // A worker that ended before the others knows less of what waits.
  const telling = (isAllDone ? ends.filter(({ kind }) => kind !== "stuck") : ends).toSorted(
    (a, b) => waitingOf(b).length - waitingOf(a).length,
  );
  const order = Object.keys(ENDED) as LoopEnd["kind"][];
  const end = order.map((kind) => telling.find((one) => one.kind === kind)).find((one) => one !== undefined)!;
  const open = sessions[ends.findIndex(isOpen)];
  return {
    ended: ENDED[end.kind],
    signal: interruption?.signal() ?? null,
    waiting: waitingOf(end),
    pausedUntil: end.kind === "paused" ? (end.until ?? null) : null,
    because: "because" in end ? end.because : null,
    ...(end.kind === "full-failed" ? { culprit: end.culprit } : {}),
    ...(end.kind === "paused" && end.limit ? { limit: end.limit } : {}),
    resumeWith:
      open === undefined
        ? null
        : `${resumeCommandLine(open)}${end.kind === "paused" ? (end.resumeOption ?? "") : ""}`,
  };
}

/** The parts of an answer that say nothing where a run did not come to its own end. */
export const NOTHING_MORE = {
  signal: null,
  waiting: [],
  pausedUntil: null,
  because: null,
  resumeWith: null,
  toMerge: false,
  notVerified: null,
  usage: null,
} as const satisfies Partial<RunAnswer>;

/** Whether the plan's branch has work that its base has not; yes where that cannot be seen, as a merge will say why. */
export async function hasToMerge(ports: Ports, branch: string): Promise<boolean> {
  const branches = await ports.branches();
  const mark = (await branches.planBranch(branch))?.mark;
  if (mark === undefined) return true;
  return (await branches.landed(mark.base, branch)) === undefined;
}

/**
 * What is left of a plan whose steps are all completed: optional steps, and completed ones whose text was edited since. A
 * person decides about both.
 */
export async function leftIn(ports: Ports, plan: string): Promise<Pick<RunAnswer, "offered" | "waiting">> {
  const database = await ports.database();
  return database.read(async (sql) => {
    const offered = await sql.all(listOfferedSteps, { plan_path: plan, most: 20 });
    return {
      ...(offered.length === 0 ? {} : { offered: offered.map(({ anchor, title }) => ({ anchor, title })) }),
      waiting: await editedSteps(sql, plan, leaseClockOf(ports, sql)),
    };
  });
}

/** What a run completed, each with how it was verified, and the first reason why one was not. */
export async function withVerification(
  ports: Ports,
  plan: string | undefined,
  completed: readonly RunStep[],
): Promise<Pick<RunAnswer, "completed" | "notVerified">> {
  if (plan === undefined || completed.length === 0) return { completed, notVerified: null };
  const database = await ports.database();
  const found = await database.read((sql) => verificationsIn(sql, plan));
  const seen = completed.map((step) => ({ ...step, verification: found.get(step.anchor) }));
  const [because = null] = seen.flatMap(({ verification: one }) =>
    one?.because == null ? [] : [one.because],
  );
  return { completed: seen, notVerified: because };
}

/** What a run used until now, in all and for each step that it completed. */
export async function withUsage(
  ports: Ports,
  { runId, planPath, completed }: Pick<RunAnswer, "runId" | "planPath" | "completed">,
): Promise<Pick<RunAnswer, "completed" | "usage">> {
  const database = await ports.database();
  const { ofRun, ofPlan } = await database.read(async (sql) => ({
    ofRun: await sql.all(sumRunUsage, { run_id: runId }),
    ofPlan: planPath === null ? [] : await sql.all(sumPlanUsage, { plan_path: planPath }),
  }));
  const usage = (step: RunStep) => usageView(ofPlan.filter(({ anchor }) => anchor === step.anchor));
  return { completed: completed.map((step) => ({ ...step, usage: usage(step) })), usage: usageView(ofRun) };
}

/** What is known of a run that an error ended; the database may be what failed. */
export const brokenAnswer = async <T extends Parameters<typeof withUsage>[1]>(ports: Ports, outline: T) => ({
  ...outline,
  ended: "failed" as const,
  ...NOTHING_MORE,
  ...(await withUsage(ports, outline).catch(() => undefined)),
});
