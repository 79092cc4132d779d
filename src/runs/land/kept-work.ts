import { isOpenItem, nextPosition, type Next, orNothing } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { savedPlan, savedStep } from "../../plans/index.ts";
import {
  type BlockedWork,
  type ClaimedStep,
  type KeptTick,
  type KeptWork,
  keptWorkOf,
  update,
} from "../../steps/index.ts";
import { viewOfStep } from "../work/step-view.ts";
import { positionOf } from "../work/where-to-start.ts";
import { workerCaller, type Worker } from "../work/worker.ts";

/** Gives a tree a commit and a name of its own, unsigned and on no branch, before its step is blocked. */
export async function keepVerified(worker: Worker, held: ClaimedStep, tree: string): Promise<BlockedWork> {
  return keep(worker, held, { tree, extent: "verified" });
}

/** The same for work that no check has passed, as it lies in the worktree; undefined where there is none, or git cannot. */
export async function keepUnverified(
  worker: Worker,
  held: ClaimedStep,
  extent: "whole" | "rejected" | "part",
): Promise<BlockedWork | undefined> {
  const { ports, session, integration } = worker;
  // A person's own worktree stays as it is.
  if (integration === undefined) return undefined;
  try {
    const [commits, branches] = await Promise.all([ports.commits(), ports.branches()]);
    const [tree, head] = await Promise.all([commits.tree(session.worktree), commits.head(session.worktree)]);
    const dirty = await commits.uncommitted(session.worktree, undefined);
    const tip = head && dirty.length === 0 ? await branches.mergeBase(integration, head) : undefined;
    if (head === undefined || tip === head) return undefined;
    return await keep(worker, held, { tree, extent });
  } catch (error) {
    return orNothing(error);
  }
}

async function keep(
  { ports, session }: Worker,
  held: ClaimedStep,
  { tree, extent }: { readonly tree: string; readonly extent: KeptWork["extent"] },
): Promise<BlockedWork> {
  const { plan, anchor } = held;
  const [commits, branches, database] = await Promise.all([
    ports.commits(),
    ports.branches(),
    ports.database(),
  ]);
  const what = extent === "verified" ? "Verified work" : "Work";
  const commit = await commits.keep(session.worktree, tree, `${what} of ${anchor}, not committed yet`);
  const ref = await branches.rescue(anchor, commit);
  const { plan_hash, content_hash } = await database.read(async (sql) => ({
    ...(await savedPlan(sql, plan)),
    ...(await savedStep(sql, plan, anchor)),
  }));
  const more = extent === "verified" ? {} : { extent };
  return { commit, ref, plan_hash, content_hash, ticks: await ticksOf(ports, held), ...more };
}

async function ticksOf(ports: Ports, held: ClaimedStep): Promise<readonly KeptTick[]> {
  const step = await viewOfStep(ports, held);
  return [step, ...step.substeps].flatMap(({ anchor, items }) =>
    items
      .filter((item) => !isOpenItem(item))
      .map(({ kind, ordinal, status, reason }) => ({ anchor, kind, ordinal, status, reason })),
  );
}

/**
 * Puts work that was kept into the worktree of a step that was retried, or whose worktree was lost, so that no agent does
 * it again. Answers where to go on; undefined where there is none, or it does not fit any more: then the step is begun
 * anew, and what was kept stays kept.
 */
export async function restoreKeptWork(worker: Worker, held: ClaimedStep): Promise<Next | undefined> {
  if (worker.integration === undefined) return undefined;
  const kept = await keptFor(worker, held);
  if (kept === undefined || !isWanted(worker, kept)) return undefined;
  try {
    if (!(await putBack(worker, kept))) return undefined;
    await tickAgain(worker, held, kept.ticks);
  } catch (error) {
    return orNothing(error);
  }
  worker.report({
    event: "note",
    text: `${held.anchor}: ${KEPT[kept.extent]} from ${kept.at} kept: continued`,
  });
  return nextAfter(worker, kept);
}

const KEPT: Readonly<Record<KeptWork["extent"], string>> = {
  verified: "verified work",
  whole: "implementation",
  rejected: "implementation",
  part: "work",
};

/** A beginning that lies in a worktree which is still there is continued in that one, unless this session left it. */
const isWanted = ({ ports, session }: Worker, { extent, worktree, checkpoint }: KeptWork): boolean =>
  worktree === undefined ||
  extent !== "part" ||
  checkpoint?.session_id === session.id ||
  !ports.files.exists(worktree);

/** What passed, or only lacks its verification, is verified; a beginning is continued with the command that was cut off. */
function nextAfter({ workflow }: Worker, { extent, checkpoint }: KeptWork): Next {
  const bounds = { workflow, maxIterations: 1 };
  if (checkpoint === undefined)
    return extent === "part" || extent === "rejected" ? nextPosition(undefined, bounds) : { kind: "done" };
  const next = nextPosition(positionOf(checkpoint), bounds);
  return next.kind === "mismatch" ? nextPosition(undefined, bounds) : next;
}

/** Merged onto what is checked out there. Work that does not fit stays where it is kept. */
async function putBack({ ports, session }: Worker, { ref }: KeptWork): Promise<boolean> {
  const [commits, branches] = await Promise.all([ports.commits(), ports.branches()]);
  const [head, commit] = await Promise.all([commits.head(session.worktree), commitAt(ports, ref)]);
  if (head === undefined || commit === undefined) return false;
  const preview = await branches.preview(head, commit);
  if (preview.kind === "conflicts") return false;
  const isClean = (await commits.uncommitted(session.worktree, undefined)).length === 0;
  const tree = preview.kind === "clean" ? preview.tree : `${head}^{tree}`;
  // A runner that was killed right after it had put them there left exactly these files.
  if (!isClean && (await commits.tree(session.worktree)) !== tree) return false;
  if (isClean && preview.kind === "clean") await commits.put(session.worktree, tree);
  return true;
}

const commitAt = async (ports: Ports, ref: string): Promise<string | undefined> =>
  (await (await ports.branches()).commits([ref])).get(ref);

async function tickAgain(worker: Worker, held: ClaimedStep, ticks: readonly KeptTick[]): Promise<void> {
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
  return kept?.extent === "verified" && (await commitAt(worker.ports, kept.ref)) !== undefined;
}

async function keptFor(
  { ports }: Worker,
  { plan, anchor }: Pick<ClaimedStep, "plan" | "anchor">,
): Promise<KeptWork | undefined> {
  const database = await ports.database();
  return database.read((sql) => keptWorkOf(sql, plan, anchor));
}
