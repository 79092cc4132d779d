import type { ListedWorktree, Ports, Sql } from "../../platform/ports/index.ts";
import { journal, listWorktreeEvents, storedJson } from "../../journal/index.ts";
import type { Ensured } from "./ensure-worktree.ts";
import { loadSave, type OpenedPlan } from "../../plans/index.ts";
import { loadReadPlan } from "../../plans/formats/index.ts";

/** Gives the plan state and tells the journal of its worktree; false, and a warning, when that fails. */
export async function saveForWorktree(
  ports: Ports,
  plan: OpenedPlan,
  { worktree, branch, base }: Ensured,
  warnings: string[],
): Promise<boolean> {
  try {
    if (!plan.isAsSaved) warnings.push(...(await save(ports, plan)));
    warnings.push(...(await seenFromThere(ports, plan, worktree.path)));
    await noteCreated(ports, plan.key, worktree, { branch, base });
    return true;
  } catch (error) {
    warnings.push(`state init failed: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

async function save(ports: Ports, plan: OpenedPlan): Promise<readonly string[]> {
  const { ensureSaved } = await loadSave();
  const { planChanged } = await ensureSaved(ports, await plan.read());
  return planChanged ? [`${plan.key} was edited after its state was made; claims will refuse it`] : [];
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

/** What an agent in the worktree will find under the plan's name: the file as committed, else the main checkout's. */
async function seenFromThere(
  ports: Ports,
  { key, content, read }: OpenedPlan,
  worktree: string,
): Promise<readonly string[]> {
  const seen = ports.plans.seenFrom(worktree, key);
  if (seen === undefined) return [`${key} is not committed, and cannot be seen from the worktree`];
  if (Buffer.compare(seen.bytes, content.bytes) === 0) return [];
  const { hashOf, parseSource } = await loadReadPlan();
  const { hash, plan } = await read();
  const isSame = hashOf(parseSource(seen, key, plan.format), seen, ports.sha256) === hash;
  return isSame ? [] : [`${key} is another one on ${worktree}: commit the edited plan first`];
}
