import { nextPosition, plural, type Workflow } from "../../domain/index.ts";
import { isKnownBy, parseSource } from "../../plans/formats/index.ts";
import type { CommitNote, Ports } from "../../platform/ports/index.ts";
import { findPlan, signedStep } from "../../plans/index.ts";
import { listCheckpoints } from "../../sessions/index.ts";
import type { CheckpointRow, SessionRow } from "../../platform/index.ts";
import { positionOf } from "../work/where-to-start.ts";
import type { SessionWorktree } from "./session-worktree.ts";
import type { WorkerWorktree } from "./worker-worktree.ts";

/** Something that is not as a session left it. */
export interface SessionMismatch {
  readonly says: string;
  /** Whether a person decides first; otherwise it is only named. */
  readonly needsPerson: boolean;
}

/**
 * Everything that is not as a session left it. What Pawl itself did since is no mismatch.
 *
 * In a worktree of Pawl's own every commit is work of the step that was running: agents commit all the time, and what
 * a kill cuts off cannot say so. Whether an edit of the plan matters is for the claim to say, and a workflow that was
 * changed only means that the step starts anew. So what waits for a person is what differs in a person's own worktree.
 */
export async function mismatches(
  ports: Ports,
  row: SessionRow,
  place: SessionWorktree,
  workflow: Workflow,
): Promise<readonly SessionMismatch[]> {
  const database = await ports.database();
  const last = await database.read(async (sql) =>
    (await sql.all(listCheckpoints, { session_id: row.id })).findLast(({ position }) => position >= 0),
  );
  // What is checked out instead has commits of its own, which say nothing.
  const looksAtHead = last !== undefined && !place.isOurs && !place.trouble;
  const decisions = [place.trouble?.says, looksAtHead ? await headMismatch(ports, last, place) : undefined];
  const notes = [last && workflowMismatch(last, workflow)];
  const plan = await planMismatch(ports, row);
  (plan?.isEdit ? notes : decisions).push(plan?.says);
  return [
    ...decisions.filter((says) => says !== undefined).map((says) => ({ says, needsPerson: true })),
    ...notes.filter((says) => says !== undefined).map((says) => ({ says, needsPerson: false })),
  ];
}

/** Where HEAD was, or behind it commits that the session's own steps made. */
async function headMismatch(
  ports: Ports,
  { head_before: before }: CheckpointRow,
  { worktree }: WorkerWorktree,
): Promise<string | undefined> {
  const { notes: recent } = await (await ports.commits()).recent(worktree);
  const head = recent[0]?.commit;
  if (before === null || head === undefined || head === before) return undefined;
  const place = recent.findIndex(({ commit }) => commit === before);
  const isOwn = (note: CommitNote) =>
    note.parents.length > 1 ||
    note.plans.some((plan) =>
      note.steps.some((step) => signedStep(ports.signer, note, { plan, step, content: null }) !== undefined),
    );
  const foreign = recent.slice(0, place === -1 ? undefined : place).filter((note) => !isOwn(note)).length;
  if (place !== -1 && foreign === 0) return undefined;
  const to = head.slice(0, 12);
  if ((await (await ports.branches()).mergeBase(before, head)) !== before) {
    // A power cut took what was there, and the branch moved back to its last whole commit.
    if ((await (await ports.damage()).lost([before])).length > 0) return undefined;
    return `HEAD was at ${before.slice(0, 12)} and is at ${to}, which does not follow it`;
  }
  const many = place === -1 ? `${foreign} or more commits` : plural(foreign, "commit");
  return `${many} that Pawl did not make came after ${before.slice(0, 12)} (HEAD is at ${to})`;
}

function workflowMismatch(last: CheckpointRow, workflow: Workflow): string | undefined {
  const next = nextPosition(positionOf(last), { workflow, maxIterations: Infinity });
  return next.kind === "mismatch" ? next.because : undefined;
}

async function planMismatch(
  ports: Ports,
  { plan_path }: SessionRow,
): Promise<{ readonly says: string; readonly isEdit: boolean } | undefined> {
  if (plan_path === null) return undefined;
  const database = await ports.database();
  const plan = await database.read((sql) => sql.get(findPlan, { plan_path }));
  if (plan === undefined) return { says: `${plan_path} no longer has state`, isEdit: false };
  const location = ports.plans.locate(plan_path);
  if (location.path === undefined) return { says: `${plan_path} is gone`, isEdit: false };
  const content = ports.plans.read(location);
  const parsed = parseSource(content, location.key, plan.format);
  return isKnownBy(plan.plan_hash, parsed, content, ports.sha256)
    ? undefined
    : { says: `${plan_path} was edited`, isEdit: true };
}
