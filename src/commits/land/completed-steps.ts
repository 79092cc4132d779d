import type { Sql } from "../../platform/ports/index.ts";
import { listSteps } from "../../plans/index.ts";

/** A completed step, with the commit that it landed as. */
export interface CompletedStep {
  readonly plan: string;
  readonly anchor: string;
  readonly commit: string;
}

/** The completed steps of plans that have a commit, the last one first. */
export async function completedSteps(sql: Sql, plans: readonly string[]): Promise<readonly CompletedStep[]> {
  const found: (CompletedStep & { readonly at: string })[] = [];
  for (const plan of plans)
    for (const { status, commit_hash: commit, anchor, completed_at } of await sql.all(listSteps, {
      plan_path: plan,
    }))
      if (status === "completed" && commit !== null)
        found.push({ plan, anchor, commit, at: completed_at ?? "" });
  return found
    .toSorted((a, b) => (a.at < b.at ? 1 : -1))
    .map(({ plan, anchor, commit }) => ({ plan, anchor, commit }));
}
