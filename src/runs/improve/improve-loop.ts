import { after, type Next, nextPosition, PAUSES } from "../../domain/index.ts";
import { listCheckpoints } from "../../sessions/index.ts";
import type { CheckpointRow } from "../../platform/index.ts";
import { positionOf } from "../work/where-to-start.ts";
import { DEFAULT_ITERATIONS } from "../prepare/run-config.ts";
import { agentOfCommand } from "../work/pick-agent.ts";
import { runWorkflowCommand } from "../work/run-command.ts";
import { wasCut } from "../verify/verify-step.ts";
import { waitOutPause } from "../assign/wait-for-agent.ts";
import type { LoopEnd, Tally } from "../finish/run-answer.ts";
import type { Worker } from "../work/worker.ts";

/** How often a command without a step may fail in a row before a person must look. */
const MOST_FAILURES = 3;

/**
 * A workflow without a plan, again and again: the session is at its last checkpoint, and that is all there is to know.
 *
 * A review that finds nothing to do ends it.
 */
export async function improveLoop(worker: Worker, tally: Tally): Promise<LoopEnd> {
  const { workflow, config } = worker;
  const maxIterations = config.maxIterations ?? DEFAULT_ITERATIONS;
  let { next, last } = await whereToStart(worker, maxIterations);
  let failures = 0;
  while (next.kind === "run") {
    if (worker.interruption.signal() !== undefined) return { kind: "interrupted" };
    const { iteration, position, specId } = next;
    const askedMs = worker.ports.clock.wallMs();
    const command = workflow.commands[position]!;
    const agent = agentOfCommand(worker, command)?.name;
    const { done } = await runWorkflowCommand(worker, { next, last });
    last = undefined;
    if (wasCut(worker, undefined, done.end)) return { kind: "interrupted" };
    const { outcome } = done.end.verdict;
    if (PAUSES.has(outcome) && agent !== undefined) {
      const over = await waitOutPause(worker, { agent });
      if (over) return over;
      ({ next, last } = await whereToStart(worker, maxIterations));
      continue;
    }
    const found = done.specFound;
    if (outcome === "finished" && found === "nothing to do") break;
    const missing = command.type === "code_review" && found === undefined;
    if (outcome !== "finished" || missing) {
      failures += 1;
      const note = missing ? "it named no spec" : `it ended with ${outcome}`;
      if (failures >= MOST_FAILURES) return stuck(tally, command.name, note);
      next = { ...next, again: true };
      continue;
    }
    failures = 0;
    if (agent) worker.pauses.clear(agent, askedMs);
    await commitWork(worker, command.name, iteration);
    next = after({ iteration, position, specId: found ?? specId }, workflow, maxIterations);
  }
  return { kind: "all-completed" };
}

function stuck(tally: Tally, command: string, note: string): LoopEnd {
  tally.blocked.push({
    anchor: command,
    title: command,
    reason: "command_failed",
    note: `${MOST_FAILURES} times: ${note}`,
  });
  return { kind: "stuck", waiting: [] };
}

async function whereToStart(
  worker: Worker,
  maxIterations: number,
): Promise<{ readonly next: Next; readonly last: CheckpointRow | undefined }> {
  const { ports, session, workflow } = worker;
  const database = await ports.database();
  const rows = await database.read((sql) => sql.all(listCheckpoints, { session_id: session.id }));
  const last = rows.at(-1);
  const bounds = { workflow, maxIterations };
  if (last?.spec_found === "nothing to do") return { next: { kind: "done" }, last };
  const next = nextPosition(last && positionOf(last), bounds);
  return next.kind === "mismatch"
    ? { next: nextPosition(undefined, bounds), last: undefined }
    : { next, last };
}

/** What each command did is committed, so that the next one starts from something that cannot be lost. */
async function commitWork(
  { ports, session, report }: Worker,
  command: string,
  iteration: number,
): Promise<void> {
  const commits = await ports.commits();
  if ((await commits.uncommitted(session.worktree, undefined)).length === 0) return;
  const message = await commits.compose(`${command}: iteration ${iteration}`, [
    { key: "Pawl-Session", value: session.id },
  ]);
  await commits.stage(session.worktree, undefined);
  const { made, said } = await commits.make(session.worktree, {
    message,
    paths: undefined,
    allowEmpty: false,
  });
  await commits.flush(session.worktree);
  if (!made) report({ event: "note", text: `not committed: ${said}` });
}
