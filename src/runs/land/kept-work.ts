import { Failure, isOpenItem } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { lastParting, savedPlan } from "../../plans/index.ts";
import { type ClaimedStep, type ItemView, update } from "../../steps/index.ts";
import { viewOfStep } from "../work/step-view.ts";
import { workerCaller, type Worker } from "../work/worker.ts";

/** Work that passed and could not be committed. */
export interface VerifiedWork {
  readonly commit: string;
  readonly ref: string;
  /** The plan as it was: work for another text is begun anew. */
  readonly plan_hash: string;
  /** What was ticked when it passed; claiming the step anew opens it again. */
  readonly ticks: readonly Tick[];
}

interface Tick extends Pick<ItemView, "kind" | "ordinal" | "status" | "reason"> {
  readonly anchor: string;
}

/** Gives a verified tree a commit and a name of its own, unsigned and on no branch, before its step is blocked. */
export async function keepVerified(
  { ports, session }: Worker,
  held: ClaimedStep,
  tree: string,
): Promise<VerifiedWork> {
  const { plan, anchor } = held;
  const [commits, branches, database] = await Promise.all([
    ports.commits(),
    ports.branches(),
    ports.database(),
  ]);
  const commit = await commits.keep(session.worktree, tree, `Verified work of ${anchor}, not committed yet`);
  const ref = await branches.rescue(anchor, commit);
  const { plan_hash } = await database.read((sql) => savedPlan(sql, plan));
  return { commit, ref, plan_hash, ticks: await ticksOf(ports, held) };
}

async function ticksOf(ports: Ports, held: ClaimedStep): Promise<readonly Tick[]> {
  const step = await viewOfStep(ports, held);
  return [step, ...step.substeps].flatMap(({ anchor, items }) =>
    items
      .filter((item) => !isOpenItem(item))
      .map(({ kind, ordinal, status, reason }) => ({ anchor, kind, ordinal, status, reason })),
  );
}

/**
 * Puts work that was kept into the worktree of a step that a person has retried, so that no agent does it again.
 *
 * True when it is there, to be verified where the plan is now. Work that does not fit there any more stays kept, and
 * the step is begun anew.
 */
export async function restoreKeptWork(worker: Worker, held: ClaimedStep): Promise<boolean> {
  const { ports, session, integration } = worker;
  if (integration === undefined) return false;
  const kept = await keptFor(worker, held);
  if (kept === undefined) return false;
  const [commits, branches] = await Promise.all([ports.commits(), ports.branches()]);
  const head = await commits.head(session.worktree);
  if (head === undefined) return false;
  try {
    const preview = await branches.preview(head, kept.commit);
    if (preview.kind === "conflicts") return false;
    const isClean = (await commits.uncommitted(session.worktree, undefined)).length === 0;
    const tree = preview.kind === "clean" ? preview.tree : `${head}^{tree}`;
    // A runner that was killed right after it had put them there left exactly these files.
    if (!isClean && (await commits.tree(session.worktree)) !== tree) return false;
    if (isClean && preview.kind === "clean") await commits.put(session.worktree, tree);
    await tickAgain(worker, held, kept.ticks);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return false;
  }
  worker.report({
    event: "note",
    text: `${held.anchor}: the work that was verified before is committed again`,
  });
  return true;
}

async function tickAgain(worker: Worker, held: ClaimedStep, ticks: readonly Tick[]): Promise<void> {
  for (const { anchor, reason, ...item } of ticks)
    await update(worker.ports, {
      plan: worker.operand ?? held.plan,
      step: anchor,
      caller: workerCaller(worker, held),
      changes: [item],
      reason: reason ?? undefined,
    });
}

/** Whether this clone has verified work of a step that waits. */
export async function isKeptHere(
  worker: Worker,
  step: Pick<ClaimedStep, "plan" | "anchor">,
): Promise<boolean> {
  const kept = await keptFor(worker, step);
  return kept !== undefined && (await (await worker.ports.branches()).commits([kept.commit])).size > 0;
}

async function keptFor(
  { ports }: Worker,
  { plan, anchor }: Pick<ClaimedStep, "plan" | "anchor">,
): Promise<VerifiedWork | undefined> {
  const database = await ports.database();
  return database.read(async (sql) => {
    const last = await sql.get(lastParting, { plan_path: plan, anchor });
    if (last?.event !== "blocked") return undefined;
    const { kept } = JSON.parse(last.detail) as { readonly kept?: VerifiedWork };
    return kept?.plan_hash === (await savedPlan(sql, plan)).plan_hash ? kept : undefined;
  });
}
