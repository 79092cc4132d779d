import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { planText } from "./plans.ts";
import type { RunShop } from "./run-shop.ts";

export const STEPS = 10_000;
export const EVENTS = 1_000_000;
export const LARGE_PLAN = "large-plan.md";

/** A plan of ten thousand steps: forty at a time can be worked on. */
export const largePlanText = (): string =>
  planText(
    Array.from({ length: STEPS }, (_, index) => ({
      number: String(index + 1),
      title: `Work number ${index + 1}`,
      tasks: ["do it"],
      ...(index >= 40 ? { dependsOn: [`step-${index - 39}`, `step-${index - 20}`] } : {}),
    })),
  );

/** The journal of years, written past the verbs: only reading it is measured. */
export function fillJournal(shop: RunShop): void {
  const database = new DatabaseSync(join(shop.repo.path, ".git/pawl/state.db"));
  database.exec(`
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${EVENTS})
    insert into events (at, plan_path, anchor, event, worktree, detail)
    select '2026-01-01T00:00:00.000Z', '${LARGE_PLAN}', 'step-' || (i % ${STEPS} + 1),
           case when i % 250000 = 0 then 'reopened' else 'claimed' end, '/repo', '{"n":' || i || '}'
      from n`);
  database.close();
}

/** Sessions of years, and one that worked on every step of the plan, with what its commands printed last. */
export function fillSessions(shop: RunShop): string {
  const database = new DatabaseSync(join(shop.repo.path, ".git/pawl/state.db"));
  const columns = `id, plan_path, worktree, worktree_id, pid, process_started_at, boot_id, host_id, status, started_at, ended_at`;
  const values = `'${LARGE_PLAN}', '${shop.repo.path}', 'w', 1, 'x', 'x', 'x', 'completed'`;
  database.exec(`
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
    insert into sessions (${columns})
    select 's-old-' || i, ${values}, '2025-01-01T00:00:00.000Z', '2025-01-01T01:00:00.000Z' from n;
    insert into sessions (${columns})
    values ('s-long', ${values}, '2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z');
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${2 * STEPS})
    insert into checkpoints (session_id, number, plan_path, anchor, claim, iteration, position, command, type,
                             started_at, exit_code, outcome, output_tail, files_modified, ended_at)
    select 's-long', i, '${LARGE_PLAN}', 'step-' || (i / 2 + 1), 1, i, 0, 'implement', 'agent',
           '2026-01-01T00:00:00.000Z', 0, 'ok', '${"said ".repeat(100)}', '["a.ts"]', '2026-01-01T00:00:01.000Z'
      from n`);
  database.close();
  return "s-long";
}
