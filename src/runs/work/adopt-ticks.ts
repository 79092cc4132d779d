import { Failure, plural } from "../../domain/index.ts";
import { planTip } from "../../commits/index.ts";
import { savedPlan } from "../../plans/index.ts";
import { loadPassages, loadReadPlan } from "../../plans/formats/index.ts";
import { type ClaimedStep, type ItemChange, update } from "../../steps/index.ts";
import { goalOfWorker, type Worker, workerCaller } from "./worker.ts";

const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Counts the boxes that an agent ticked in its worktree's copy of the plan, and puts the copy back as it was. In a folder
 * of records it only puts their status back: what lands must not collide with what Pawl writes in the main checkout.
 *
 * Everything is in a snapshot first. The items are ticked before the copy is put back, so a kill in between only has
 * this done again: an item is ticked once, and the copy still has its boxes. Answers whether the copy was changed.
 */
export async function adoptTicks(worker: Worker, held: ClaimedStep): Promise<boolean> {
  const { ports, session } = worker;
  const folder = `${session.worktree.path}/${held.plan}`;
  // Where the plan itself is in the worktree, its boxes are its author's.
  if (ports.plans.find(held.plan).path === folder || !ports.files.exists(folder)) return false;
  const { ticks, copies } = await changedIn(worker, held);
  if (ticks.length === 0 && copies.length === 0) return false;
  const snapshot = await (
    await ports.snapshots()
  ).take(session.worktree, `${held.anchor}: status changed in ${held.plan}`);
  try {
    await tick(worker, held, ticks);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    worker.report({ event: "note", text: `boxes ticked in ${held.plan} do not count: ${error.message}` });
    return false;
  }
  const isPutBack = copies
    .map(({ path, bytes, restored }) =>
      ports.files.replaceIf(path, bytes, new TextEncoder().encode(restored)),
    )
    .includes(true);
  if (ticks.length > 0 || isPutBack)
    worker.report({
      event: "note",
      text: `${held.anchor}: ${changeWords(held.plan, ticks.length, isPutBack, snapshot?.ref)}`,
    });
  return isPutBack;
}

interface Changed {
  readonly ticks: readonly Ticked[];
  readonly copies: readonly Copy[];
}

async function changedIn(worker: Worker, held: ClaimedStep): Promise<Changed> {
  const { ports, session } = worker;
  const base = await baseOf(worker);
  const tree = await (await ports.commits()).tree(session.worktree);
  const reads = (file: string) => saysStatus(held.plan, file);
  const files = base ? await (await ports.branches()).changedFiles({ from: base, to: tree, reads }) : [];
  const [{ ticksBetween, untick }, { parseKept }] = await Promise.all([loadPassages(), loadReadPlan()]);
  const database = await ports.database();
  const { format } = await database.read((sql) => savedPlan(sql, held.plan));
  const ticks: Ticked[] = [];
  const copies: Copy[] = [];
  for (const { path: name, before, after } of files) {
    if (before === undefined || after === undefined || !reads(name)) continue;
    if (name === held.plan)
      ticks.push(...ticksBetween(parseKept(before, format), parseKept(after, format), held.anchor));
    const path = `${session.worktree.path}/${name}`;
    const bytes = ports.files.read(path, MOST_BYTES);
    const text = new TextDecoder().decode(bytes);
    const restored = untick(before, text);
    if (restored !== text) copies.push({ path, bytes, restored });
  }
  return { ticks, copies };
}

interface Copy {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly restored: string;
}

function changeWords(plan: string, ticked: number, isPutBack: boolean, ref: string | undefined): string {
  const kept = ref === undefined ? "" : ` What it was is in ${ref}.`;
  const copy = `the worktree's copy of ${plan}`;
  if (ticked === 0)
    return `the status that was changed in ${copy} does not count and is as it was before.${kept}`;
  const counted = `${plural(ticked, "item was", "items were")} ticked in ${copy}. They count`;
  return counted + (isPutBack ? `, and the copy is as it was before.${kept}` : ".");
}

/** The plan, or a file of its folder that says how far its steps are; what else lies there is the agent's to write. */
export const saysStatus = (plan: string, file: string): boolean =>
  file === plan ||
  (file.startsWith(`${plan}/`) &&
    /^(?:implementation_plan|task-[^/]*)\.json$/.test(file.slice(plan.length + 1)));

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
