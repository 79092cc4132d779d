import type { Ports } from "../../platform/ports/index.ts";
import { diagnose, type Seen } from "../rules/index.ts";
import type { PlanStep } from "../../domain/index.ts";
import { loadReadPlan } from "../../plans/formats/index.ts";
import { findPlanSnapshot, listPlans, listSteps, loadGrowPlan, planPathFromHere } from "../../plans/index.ts";
import type { PlanRow, StepRow } from "../../platform/index.ts";
import { finishIntents, reconcile } from "../../commits/index.ts";
import { leaseClockOf } from "../../sessions/index.ts";
import { openIfThere } from "../../journal/index.ts";
import { type DamageExtent, observeDamage } from "./observe-damage.ts";
import { observeFull } from "./observe-full.ts";
import { observePlan } from "./observe-plans.ts";
import { readSessions, lostVerifiers, observeSessions, type ObservedSession } from "./observe-sessions.ts";
import { observeEdits, observeSteps } from "./observe-steps.ts";
import { observeUnsaved } from "./observe-unsaved.ts";
import { observeWorktrees } from "./observe-worktrees.ts";

/** What is observed. */
export interface Scope {
  /** Only this plan, by its key. */
  readonly plan?: string | undefined;
  /** Only these steps of it, and nothing beside them. */
  readonly steps?: ReadonlySet<string> | undefined;
  /** Leaves out worktrees that lost what they belong to. */
  readonly withoutWorktrees?: boolean | undefined;
  /** How far git's own files are read; not at all when left out. `only`: at nothing else. */
  readonly damage?: { readonly extent: DamageExtent; readonly only?: boolean } | undefined;
  /** A plan without state that is observed as if it had been saved. */
  readonly unsaved?: string | undefined;
}

/** Looks at everything that can have gone wrong, and changes nothing. */
export async function observe(ports: Ports, scope: Scope): Promise<readonly Seen[]> {
  const unsaved = scope.unsaved === undefined ? [] : await observeUnsaved(ports, scope.unsaved);
  const database = await openIfThere(ports);
  if (database === undefined) return unsaved;
  const all = await database.read((sql) => sql.all(listPlans, {}));
  const done = new Set(all.filter(({ status }) => status === "done").map(({ plan_path }) => plan_path));
  const plans = all.filter(({ plan_path }) => scope.plan === undefined || plan_path === scope.plan);
  const sessions = await readSessions(ports, done);
  const damage = scope.damage ? await observeDamage(ports, scope.damage.extent, sessions) : [];
  // Until that is done git fails at half of what the rest is known by; then all of it is observed again.
  if (scope.damage?.only || diagnose(damage).some(({ automatic }) => automatic)) return damage;
  const verifiers = await lostVerifiers(ports);
  const seen: Seen[] = [...unsaved, ...damage];
  const committed = await openCommits(ports);
  for (const plan of plans)
    seen.push(...(await observeOne(ports, plan, { scope, sessions, verifiers, committed })));
  if (scope.steps) return seen;
  const ofScope = sessions.filter(({ row }) => scope.plan === undefined || row.plan_path === scope.plan);
  seen.push(...(await observeSessions(ports, ofScope)));
  if (!scope.withoutWorktrees) {
    const worktrees = await observeWorktrees(ports, sessions);
    seen.push(...worktrees.filter(({ facts }) => scope.plan === undefined || facts.plan === scope.plan));
  }
  return seen;
}

interface Around {
  readonly scope: Scope;
  readonly sessions: readonly ObservedSession[];
  readonly verifiers: ReadonlySet<string>;
  readonly committed: ReadonlyMap<string, string>;
}

async function observeOne(ports: Ports, plan: PlanRow, around: Around): Promise<readonly Seen[]> {
  const { scope, sessions, verifiers, committed } = around;
  const database = await ports.database();
  const { rows, moment } = await database.read(async (sql) => ({
    rows: (await sql.all(listSteps, { plan_path: plan.plan_path })).filter(
      ({ anchor }) => scope.steps?.has(anchor) ?? true,
    ),
    moment: leaseClockOf(ports, sql),
  }));
  const file = await observePlan(ports, plan);
  const scene = {
    plan,
    rows,
    inFile: file.steps,
    sessions: new Map(sessions.map((session) => [session.row.id, session])),
    verifiers,
    proofs: await proofsOf(ports, plan, rows, committed),
    moment,
  };
  const steps = [
    ...(await observeSteps(ports, scene)),
    ...(rows.some(({ bound_to }) => bound_to !== null)
      ? observeEdits(scene, await stepsNow(ports, plan))
      : []),
  ];
  return scope.steps ? steps : [...file.seen, ...steps, ...(await observeFull(ports, plan.plan_path))];
}

/** What the steps of the store are in the plan as it was last taken over, by the names that they have in the store. */
async function stepsNow(ports: Ports, plan: PlanRow): Promise<ReadonlyMap<string, PlanStep>> {
  const database = await ports.database();
  const [{ parseKept }, { stepsIn }] = await Promise.all([loadReadPlan(), loadGrowPlan()]);
  return database.read(async (sql) => {
    const { plan_path, plan_hash } = plan;
    const kept = await sql.get(findPlanSnapshot, { plan_path, plan_hash });
    return kept ? stepsIn(sql, ports, plan, parseKept(kept.content, kept.format)) : new Map();
  });
}

const addressOf = (plan: string, anchor: string): string => `${plan}\n${anchor}`;

/** Commits that were begun and found, whose step does not know them. */
async function openCommits(ports: Ports): Promise<ReadonlyMap<string, string>> {
  const reports = await finishIntents(ports, { dryRun: true });
  return new Map(
    reports.flatMap(({ planPath, anchor, commit, outcome }) =>
      commit === null || outcome !== "open" ? [] : [[addressOf(planPath, anchor), commit]],
    ),
  );
}

/** What git would complete: the same answer that `reconcile` gives, without doing it. */
async function proofsOf(
  ports: Ports,
  { plan_path }: PlanRow,
  rows: readonly StepRow[],
  committed: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const proofs = new Map<string, string>();
  if (rows.every(({ status }) => SETTLED.has(status))) return proofs;
  const { reconciled } = await reconcile(ports, { plan: planPathFromHere(ports, plan_path), dryRun: true });
  for (const { stepAnchor, gitHash } of reconciled) proofs.set(stepAnchor, gitHash);
  for (const { anchor } of rows) {
    const commit = committed.get(addressOf(plan_path, anchor));
    if (commit !== undefined) proofs.set(anchor, commit);
  }
  return proofs;
}

const SETTLED: ReadonlySet<string> = new Set(["completed", "on_hold", "blocked"]);
