import { Failure, isHeld, plural } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { deletePlan } from "./sql/delete-plan.ts";
import { listPlans } from "./sql/list-plans.ts";
import { listSteps } from "./sql/list-steps.ts";
import type { StepRow } from "../platform/index.ts";
import { backUp, refuseChangedSince } from "./back-up.ts";
import { journal } from "../journal/index.ts";

export interface PruneRequest {
  readonly dryRun?: boolean | undefined;
}

export interface PruneAnswer {
  readonly dryRun: boolean;
  readonly pruned: readonly { readonly planPath: string; readonly savedTo: string | null }[];
  /** Plans whose file is gone, but whose steps a worker holds. */
  readonly inUse: readonly string[];
}

/** Removes the state of plans whose file is gone from every worktree. Each is saved to a file first. */
export async function prune(ports: Ports, request: PruneRequest): Promise<PruneAnswer> {
  if (ports.storeIsShared) {
    throw new Failure(
      "usage/wrong",
      "The state is shared: whether a plan still lies in another clone cannot be seen from here.",
      {},
      { hint: "Nothing was removed. Plans that are done can stay; they cost nothing." },
    );
  }
  const database = await ports.database();
  const plans = await database.read((sql) => sql.all(listPlans, {}));
  const orphans = plans.filter((plan) => !ports.plans.existsAnywhere(plan.plan_path));
  const inUse = orphans.filter((plan) => plan.steps_held > 0).map((plan) => plan.plan_path);
  const removable = orphans.map((plan) => plan.plan_path).filter((key) => !inUse.includes(key));
  const dryRun = request.dryRun ?? false;
  if (dryRun) return { dryRun, pruned: removable.map((planPath) => ({ planPath, savedTo: null })), inUse };

  const pruned: { planPath: string; savedTo: string | null }[] = [];
  for (const key of removable) {
    const backup = await backUp(ports, database, key);
    if (!backup) continue;
    await database.write(async (sql) => {
      await refuseChangedSince(sql, backup);
      refuseInUse(key, await sql.all(listSteps, { plan_path: key }));
      for (const statement of deletePlan) await sql.run(statement, { plan_path: key });
      await journal(sql, { event: "pruned", plan: key, detail: { saved_to: backup.path } });
    });
    pruned.push({ planPath: key, savedTo: backup.path });
  }
  return { dryRun, pruned, inUse };
}

export function refuseInUse(key: string, steps: readonly StepRow[]): void {
  const held = steps.filter((step) => isHeld(step.status) && step.parent_anchor === null);
  if (held.length === 0) return;
  throw new Failure("plan/in-use", `${key} has ${plural(held.length, "step")} that workers hold.`, {
    plan_path: key,
    held: held.map((step) => ({ anchor: step.anchor, claimed_by: step.claimed_by })),
  });
}
