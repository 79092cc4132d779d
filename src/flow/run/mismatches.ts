import { nextPosition } from "../../domain/next-position.ts";
import { plural } from "../../domain/plural.ts";
import type { Workflow } from "../../domain/workflow.ts";
import { isKnownBy, parseSource } from "../../formats/read-plan.ts";
import type { Ports } from "../../ports/index.ts";
import { findPlan } from "../../store/statements/find-plan.ts";
import { listCheckpoints } from "../../store/statements/list-checkpoints.ts";
import type { CheckpointRow, SessionRow } from "../../store/statements/rows.ts";
import { signedStep } from "../signed-step.ts";
import { positionOf } from "./position-of.ts";
import type { SessionPlace } from "./session-place.ts";
import type { WorkerPlace } from "./worker-place.ts";

/** Everything that is not as a session left it, in words. What Pawl itself did since is no mismatch. */
export async function mismatches(
  ports: Ports,
  row: SessionRow,
  place: SessionPlace,
  workflow: Workflow,
): Promise<readonly string[]> {
  const database = await ports.database();
  const last = await database.read(async (sql) =>
    (await sql.all(listCheckpoints, { session_id: row.id })).findLast(({ position }) => position >= 0),
  );
  const found = [
    place.trouble?.says,
    // What is checked out instead has commits of its own, which say nothing.
    last && (place.trouble ? undefined : await headMismatch(ports, last, place)),
    last && workflowMismatch(last, workflow),
    await planMismatch(ports, row),
  ];
  return found.filter((text) => text !== undefined);
}

/** Where HEAD was, or behind it commits that the session's own steps made, or the plan's branch as it is by now. */
async function headMismatch(
  ports: Ports,
  { head_before: before }: CheckpointRow,
  { worktree }: WorkerPlace,
): Promise<string | undefined> {
  const { notes: recent } = await (await ports.commits()).recent(worktree);
  const head = recent[0]?.commit;
  if (before === null || head === undefined || head === before) return undefined;
  const place = recent.findIndex(({ commit }) => commit === before);
  const since = place === -1 ? [] : recent.slice(0, place);
  const isOwn = (index: number) => {
    const note = since[index]!;
    return note.plans.some((plan) =>
      note.steps.some((step) => signedStep(ports.signer, note, { plan, step, content: null }) !== undefined),
    );
  };
  if (place !== -1 && since.every((note, index) => note.parents.length > 1 || isOwn(index))) return undefined;
  const branches = await ports.branches();
  // The worktree was made again, or brought to the plan's branch, which has moved on.
  if ((await branches.mergeBase(before, head)) === before) return foreign(since.length, before, head);
  // A power cut took what was there, and the branch moved back to its last whole commit.
  if ((await (await ports.damage()).lost([before])).length > 0) return undefined;
  return `HEAD was at ${before.slice(0, 12)} and is at ${head.slice(0, 12)}, which does not follow it`;
}

const foreign = (count: number, before: string, head: string): string =>
  `${plural(count, "commit")} that Pawl did not make came after ${before.slice(0, 12)} (HEAD is at ${head.slice(0, 12)})`;

function workflowMismatch(last: CheckpointRow, workflow: Workflow): string | undefined {
  const next = nextPosition(positionOf(last), { workflow, maxIterations: Infinity });
  return next.kind === "mismatch" ? next.because : undefined;
}

async function planMismatch(ports: Ports, { plan_path }: SessionRow): Promise<string | undefined> {
  if (plan_path === null) return undefined;
  const database = await ports.database();
  const plan = await database.read((sql) => sql.get(findPlan, { plan_path }));
  if (plan === undefined) return `${plan_path} has no state any more`;
  const location = ports.plans.locate(plan_path);
  if (location.path === undefined) return `${plan_path} is gone`;
  const content = ports.plans.read(location);
  const parsed = parseSource(content, location.key, plan.format);
  return isKnownBy(plan.plan_hash, parsed, content, ports.sha256) ? undefined : `${plan_path} was edited`;
}
