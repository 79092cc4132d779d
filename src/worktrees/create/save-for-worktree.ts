import type { ListedWorktree, Ports, Sql } from "../../platform/ports/index.ts";
import { journal, listWorktreeEvents, storedJson } from "../../journal/index.ts";
import type { Ensured } from "./ensure-worktree.ts";
import { loadSave, type OpenedPlan } from "../../plans/index.ts";

/** Gives the plan state and tells the journal of its worktree; false, and a warning, when that fails. */
export async function saveForWorktree(
  ports: Ports,
  plan: OpenedPlan,
  { worktree, branch, base }: Ensured,
  warnings: string[],
): Promise<boolean> {
  try {
    if (!plan.isAsSaved) await (await loadSave()).ensureSaved(ports, await plan.read());
    await noteCreated(ports, plan.key, worktree, { branch, base });
    return true;
  } catch (error) {
    warnings.push(`state init failed: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

const MOST_EVENTS = 20;

/** Once for each worktree: a call that died before it could leaves it to the next. */
async function noteCreated(
  ports: Ports,
  plan: string,
  { path, id }: ListedWorktree,
  { branch, base }: { readonly branch: string; readonly base: string },
): Promise<void> {
  const database = await ports.database();
  const isNoted = async (sql: Sql) =>
    (await sql.all(listWorktreeEvents, { worktree: path, most: MOST_EVENTS })).some(
      ({ event, detail }) =>
        event === "worktree-created" && storedJson<{ id?: string }>(detail, {}).id === id,
    );
  if (await database.read(isNoted)) return;
  await database.write(async (sql) => {
    if (await isNoted(sql)) return;
    await journal(sql, { event: "worktree-created", plan, worktree: path, detail: { branch, base, id } });
  });
}
