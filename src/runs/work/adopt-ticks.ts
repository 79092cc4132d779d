import { Failure, plural } from "../../domain/index.ts";
import { planTip } from "../../commits/index.ts";
import { savedPlan } from "../../plans/index.ts";
import { loadPassages, loadReadPlan } from "../../plans/formats/index.ts";
import { type ClaimedStep, type ItemChange, update } from "../../steps/index.ts";
import { goalOfWorker, type Worker, workerCaller } from "./worker.ts";

const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Counts the boxes that an agent ticked in its worktree's copy of the plan, and puts the copy back as it was.
 *
 * Everything is in a snapshot first. The items are ticked before the copy is put back, so a kill in between only has
 * this done again: an item is ticked once, and the copy still has its boxes. Answers whether the copy was changed.
 */
export async function adoptTicks(worker: Worker, held: ClaimedStep): Promise<boolean> {
  const { ports, session } = worker;
  const path = `${session.worktree.path}/${held.plan}`;
  // Where the plan itself is in the worktree, its boxes are its author's.
  if (ports.plans.find(held.plan).path === path || !ports.files.exists(path)) return false;
  const base = await baseOf(worker);
  const tree = await (await ports.commits()).tree(session.worktree);
  const reads = (file: string) => file === held.plan;
  const files = base ? await (await ports.branches()).changedFiles({ from: base, to: tree, reads }) : [];
  const file = files.find((one) => reads(one.path));
  if (file?.before === undefined || file.after === undefined) return false;
  const [{ ticksBetween, untick }, { parseKept }] = await Promise.all([loadPassages(), loadReadPlan()]);
  const database = await ports.database();
  const { format } = await database.read((sql) => savedPlan(sql, held.plan));
  const ticks = ticksBetween(parseKept(file.before, format), parseKept(file.after, format), held.anchor);
  const bytes = ports.files.read(path, MOST_BYTES);
  const restored = untick(file.before, new TextDecoder().decode(bytes));
  const isRestored = restored !== new TextDecoder().decode(bytes);
  if (ticks.length === 0 && !isRestored) return false;
  const snapshot = await (
    await ports.snapshots()
  ).take(session.worktree, `${held.anchor}: boxes ticked in ${held.plan}`);
  try {
    await tick(worker, held, ticks);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    worker.report({ event: "note", text: `boxes ticked in ${held.plan} do not count: ${error.message}` });
    return false;
  }
  const isPutBack = isRestored && ports.files.replaceIf(path, bytes, new TextEncoder().encode(restored));
  const kept = snapshot === undefined ? "" : ` What it was is in ${snapshot.ref}.`;
  const then = isPutBack ? `, and the copy is as it was before.${kept}` : ".";
  const text = `${held.anchor}: ${plural(ticks.length, "item was", "items were")} ticked in the worktree's copy of ${held.plan}. They count${then}`;
  if (ticks.length > 0 || isPutBack) worker.report({ event: "note", text });
  return isPutBack;
}

/** What the step began from, also where the agent has committed since. */
async function baseOf(worker: Worker): Promise<string | undefined> {
  const { ports, session, plan } = worker;
  const goal = goalOfWorker(worker);
  const head = await (await ports.commits()).head(session.worktree);
  if (goal === undefined || plan === undefined || head === undefined) return head;
  const tip = await planTip(ports, { plan, branch: goal.branch });
  return tip === head ? head : ((await (await ports.branches()).mergeBase(tip, head)) ?? head);
}

type Ticked = { readonly anchor: string } & Omit<Extract<ItemChange, { ordinal: number }>, "status">;

async function tick(worker: Worker, held: ClaimedStep, ticks: readonly Ticked[]): Promise<void> {
  for (const anchor of new Set(ticks.map((one) => one.anchor))) {
    const changes = ticks
      .filter((one) => one.anchor === anchor)
      .map(({ kind, ordinal }) => ({ kind, ordinal, status: "completed" }));
    const address = { plan: worker.operand ?? held.plan, step: anchor };
    await update(worker.ports, { ...address, caller: workerCaller(worker, held), changes });
  }
}
