import { freshen } from "./worker-place.ts";
import type { Worker } from "./worker.ts";

/** Before a new step the worktree is brought to where the plan is. */
export async function refresh(worker: Worker): Promise<void> {
  const { ports, session, plan, integration, branch, interruption } = worker;
  if (integration === undefined || plan === undefined) return;
  const place = { worktree: session.worktree, branch, warnings: [] };
  const note = (text: string) => worker.tell({ event: "note", text });
  const operand = worker.operand ?? plan;
  const fresh = await freshen(ports, {
    plan: operand,
    integration,
    place,
    session: session.id,
    interruption,
    note,
  });
  if (fresh.worktree.id !== session.worktree.id) await session.moveTo(fresh.worktree);
}
