import { Failure } from "../domain/index.ts";
import type { Ports, Worktree } from "../platform/ports/index.ts";
import type { RunCallbacks } from "./finish/run-answer.ts";
import { openAndRun } from "./prepare/open-sessions.ts";
import type { RunConfig } from "./prepare/run-config.ts";
import { withSentinel } from "./prepare/sentinel.ts";
import { askPlanner, gaveUp, type Planned, type Planning } from "./spec/ask-planner.ts";

export interface PlanningRequest<T> extends RunCallbacks {
  readonly planning: Planning<T>;
  /** Where the planner looks around. */
  readonly worktree: Worktree;
  readonly config: RunConfig;
  readonly operand: string | undefined;
}

/**
 * Lets an agent plan, in a session of its own: it is supervised, logged and found after a crash like any other.
 *
 * What it makes is only handed back; the caller writes it down. So a planner that is cut off has changed nothing.
 */
export async function planWithAgent<T>(ports: Ports, request: PlanningRequest<T>): Promise<T> {
  const { planning, worktree, config, operand } = request;
  const listed = (await (await ports.worktrees()).list()).find(({ path }) => path === worktree.path);
  let planned: Planned<T> = { kind: "bad", diagnostics: [] };
  const run = () =>
    openAndRun(ports, {
      config,
      kind: "plan",
      isResumable: false,
      operand,
      choose: async () => ({ worktree, branch: listed?.branch, warnings: [] }),
      request,
      warnings: [],
      async loop(worker) {
        const asked = await askPlanner(worker, planning);
        if (asked.kind === "stopped") return asked.end;
        planned = asked;
        return { kind: "enough" };
      },
    });
  const answer = await withSentinel(ports, config.plan, run);
  if (answer.ended === "interrupted" || answer.ended === "paused")
    throw new Failure("planner/stopped", `The planner was stopped: ${answer.because ?? answer.ended}.`, {
      session_id: answer.sessions[0],
      paused_until: answer.pausedUntil,
    });
  // Assigned in the loop, which the compiler does not see.
  const result = planned as Planned<T>;
  if (result.kind === "good") return result.value;
  throw gaveUp(result.diagnostics.slice(0, 3).join("; "), { session_id: answer.sessions[0] });
}
