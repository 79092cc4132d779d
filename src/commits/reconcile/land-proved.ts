import { Failure, isHeld } from "../../domain/index.ts";
import type { Ports, Sql } from "../../platform/ports/index.ts";
import type { StepRow } from "../../platform/index.ts";
import { leaseClockOf } from "../../sessions/index.ts";
import { findStep } from "../../plans/index.ts";
import { openIfThere } from "../../journal/index.ts";
import { findIntent } from "../sql/find-intent.ts";
import { isOwnerGoneNow } from "../finish-intents.ts";
import { type ApproveMerge, integrate, integrationFor } from "../land/integrate.ts";
import { whyUnverified } from "../land/landing.ts";

/** What became of a commit that proves a step, on its way to the plan's branch. */
export interface ProofLanding {
  readonly commit: string;
  /** Why it is not there. */
  readonly problem?: string | undefined;
}

/** By step. One that is not in it was not provable when the commits were brought there. */
export type ProofLandings = ReadonlyMap<string, ProofLanding>;

interface Proved {
  readonly stepAnchor: string;
  readonly gitHash: string;
}

/**
 * Brings commits to the plan's branch that so far only a worker's branch has: a step is completed by what landed.
 *
 * A crash afterwards leaves the commits there, and the next call completes their steps.
 */
export async function landProved(
  ports: Ports,
  plan: string,
  proved: readonly Proved[],
  { dryRun, approve }: { readonly dryRun: boolean; readonly approve: ApproveMerge | undefined },
): Promise<ProofLandings> {
  const apart = new Set(await notOnPlan(ports, plan, proved));
  const landings = new Map<string, ProofLanding>();
  for (const { stepAnchor, gitHash: commit } of proved) {
    const toLand = { plan, anchor: stepAnchor, commit, dryRun, approve };
    const problem =
      (await whyLeftToVerify(ports, toLand)) ??
      (apart.has(commit) ? await whyNotLanded(ports, toLand) : undefined);
    landings.set(stepAnchor, { commit, problem });
  }
  return landings;
}

/** The commits that no branch has to which workers of this plan bring theirs. */
async function notOnPlan(ports: Ports, plan: string, proved: readonly Proved[]): Promise<readonly string[]> {
  const branches = (await (await ports.branches()).planBranches()).filter(({ mark }) => mark?.plan === plan);
  const goals = new Set(branches.map(({ mark }) => mark!.base));
  const tips = branches.filter(({ name }) => goals.has(name)).map(({ commit }) => commit);
  if (tips.length === 0) return [];
  return ports.git.unreachable(
    proved.map(({ gitHash }) => gitHash),
    tips,
  );
}

interface ToLand {
  readonly plan: string;
  readonly anchor: string;
  readonly commit: string;
  readonly dryRun: boolean;
  readonly approve: ApproveMerge | undefined;
}

/** Of a commit that a killed process was about to land, the store knows whether its files passed. */
async function whyLeftToVerify(
  ports: Ports,
  { plan, anchor, commit }: Pick<ToLand, "plan" | "anchor" | "commit">,
): Promise<string | undefined> {
  const plan_path = plan;
  const database = await openIfThere(ports);
  const intent = await database?.read(async (sql) => {
    const step = await sql.get(findStep, { plan_path, anchor });
    return step && sql.get(findIntent, { plan_path, anchor, claim: step.claim_seq });
  });
  if (intent === undefined || intent.closed_at !== null) return undefined;
  return whyUnverified(ports, intent, commit);
}

async function whyNotLanded(
  ports: Ports,
  { plan, anchor, commit, dryRun, approve }: ToLand,
): Promise<string | undefined> {
  const goal = await integrationFor(ports, plan, commit);
  if (goal === undefined) return undefined;
  const where = `its commit is on ${goal.from} and not on ${goal.branch}`;
  if (dryRun) {
    const preview = await (await ports.branches()).preview(`refs/heads/${goal.branch}`, commit);
    return preview.kind === "conflicts" ? `${where}, and conflicts with it` : undefined;
  }
  // Another worker may have taken the step since; then this is no longer the work that it is completed with.
  const database = await ports.database();
  const isTaken = await database.read(async (sql) => {
    const step = await sql.get(findStep, { plan_path: plan, anchor });
    return step !== undefined && (await isWorkedOn(ports, sql, step));
  });
  if (isTaken) return `${where}, and a session works on the step`;
  try {
    await integrate(ports, { plan, commit, ...goal, verifiesAll: true }, approve);
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return `${where}: ${error.message}`;
  }
}

const isWorkedOn = async (ports: Ports, sql: Sql, owner: StepRow): Promise<boolean> =>
  isHeld(owner.status) &&
  owner.session_id !== null &&
  !(await isOwnerGoneNow(ports, sql, owner, leaseClockOf(ports, sql)));

/** A living session that has begun to commit lands it, too: completed from outside, its commit would land nowhere. */
export async function whyLeftToOwner(
  ports: Ports,
  sql: Sql,
  { plan_path, anchor }: StepRow,
  owner: StepRow,
): Promise<string | undefined> {
  if (!(await isWorkedOn(ports, sql, owner))) return undefined;
  const intent = await sql.get(findIntent, { plan_path, anchor, claim: owner.claim_seq });
  if (intent === undefined || intent.closed_at !== null) return undefined;
  return `session ${owner.session_id} is committing it`;
}
