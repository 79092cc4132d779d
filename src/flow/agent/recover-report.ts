import { Failure } from "../../domain/errors.ts";
import type { Ports } from "../../ports/index.ts";
import { doctor } from "../doctor.ts";
import type { StepView } from "../plan-view.ts";
import { reconcile } from "../reconcile.ts";
import { listSessionViews } from "../run/session-view.ts";
import { showAll } from "../show.ts";
import { openIfThere } from "../worktree-use.ts";

/** One thing that is broken or left over. */
export interface LeftOver {
  /** The situation, by the name that recovery knows it by. */
  readonly rule: string;
  /** What it is about: a step, a session, a check. */
  readonly subject: string;
  readonly found: string;
  /** Who can do something about it. */
  readonly who: "nobody" | "agent" | "person";
  /** What happens next, or what that one can do. */
  readonly next: string;
}

export interface RecoverReport {
  readonly leftOvers: readonly LeftOver[];
  /** How many of them wait for a person. */
  readonly forPeople: number;
}

/** Looks at sessions, steps, git and the state itself, and changes nothing but what every look records. */
export async function recoverReport(ports: Ports): Promise<RecoverReport> {
  const database = await openIfThere(ports);
  const found = database ? [...(await sessions(ports)), ...(await steps(ports))] : [];
  const leftOvers = [...found, ...(await checks(ports))];
  return { leftOvers, forPeople: leftOvers.filter(({ who }) => who === "person").length };
}

const MOST_SESSIONS = 20;

async function sessions(ports: Ports): Promise<readonly LeftOver[]> {
  const views = await listSessionViews(ports, { interrupted: true, most: MOST_SESSIONS });
  return views.map((view) => ({
    rule: "interrupted-session",
    subject: view.id,
    found: `cut off${view.interruptedAt === null ? "" : ` at ${view.interruptedAt}`} in ${view.worktree}${view.snapshotRef === null ? "" : `; its uncommitted work is kept at ${view.snapshotRef}`}`,
    who: view.resumable ? "person" : "nobody",
    next: view.resumable
      ? "A person resumes or abandons it."
      : "Nothing: its steps can be claimed, its files are where they were.",
  }));
}

async function steps(ports: Ports): Promise<readonly LeftOver[]> {
  const found: LeftOver[] = [];
  for (const plan of await showAll(ports)) {
    for (const step of plan.steps) found.push(...aboutStep(plan.planPath, step));
    const proved = await reconcile(ports, { plan: plan.planPath, dryRun: true }).catch(asNothing);
    for (const { stepAnchor, gitHash } of proved?.reconciled ?? [])
      found.push({
        rule: "committed-but-not-completed",
        subject: `${plan.planPath} ${stepAnchor}`,
        found: `commit ${gitHash.slice(0, 12)} carries its trailer`,
        who: "person",
        next: "A person reconciles the plan with its commits.",
      });
  }
  return found;
}

function aboutStep(plan: string, step: StepView): readonly LeftOver[] {
  const subject = `${plan} ${step.anchor}`;
  if (step.status === "blocked")
    return [
      {
        rule: step.blockReason?.replaceAll("_", "-") ?? "blocked",
        subject,
        found: step.blockNote ?? "blocked without a note",
        who: "person",
        next: "A person decides whether it is tried again.",
      },
    ];
  if (step.status === "awaiting_verification" && step.leaseExpired)
    return [
      {
        rule: "awaiting-verification",
        subject,
        found: "submitted, and never verified to the end",
        who: "agent",
        next: "Claim it in its worktree and submit it again.",
      },
    ];
  return step.lateResults.map((late) => ({
    rule: "late-result",
    subject,
    found: `a result of claim ${late.claim ?? "?"} came too late${late.heldRef === null ? "" : ` and is kept at ${late.heldRef}`}`,
    who: "person" as const,
    next: "A person looks whether it is better than what there is.",
  }));
}

async function checks(ports: Ports): Promise<readonly LeftOver[]> {
  const answer = await doctor(ports, { fix: false });
  return answer.checks
    .filter(({ status }) => status !== "pass")
    .map(({ name, message, status }) => ({
      rule: "doctor",
      subject: name,
      found: message,
      who: status === "fail" ? ("person" as const) : ("nobody" as const),
      next: status === "fail" ? "A person mends it." : "Work can go on.",
    }));
}

/** A plan whose file is gone has no commits to compare with; the checks tell of it. */
function asNothing(error: unknown): undefined {
  if (!(error instanceof Failure)) throw error;
}
