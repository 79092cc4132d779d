import { PAUSES } from "../../domain/exit-verdict.ts";
import { Failure } from "../../domain/errors.ts";
import type { Ports } from "../../ports/index.ts";
import type { Interruption } from "../../ports/interruption.ts";
import type { Worktree } from "../../ports/repository.ts";
import { openSession } from "../open-session.ts";
import { duringWork } from "../recover/sentinel.ts";
import { conductRun } from "./conduct.ts";
import type { RunConfig } from "./run-config.ts";
import type { RunEvent } from "./run-event.ts";
import { chooseAgent, type CommandDone, runCommand } from "./run-command.ts";
import { detailsOf } from "./details-of.ts";
import { wasCut } from "./verify-step.ts";
import { pause } from "./pause.ts";
import type { LoopEnd } from "./work-loop.ts";
import type { Worker } from "./worker.ts";

/** How often a planner hears what is wrong with its plan before a person must decide. */
const MOST_RETURNS = 3;

/** What a planner is asked for, and how its work is read. */
export interface Planning<T> {
  /** Names the command in checkpoints and logs: `plan`, `break-down`. */
  readonly name: string;
  readonly timeoutMs: number;
  /** `diagnostics` is empty at first, then what was wrong with the round before. */
  readonly prompt: (diagnostics: readonly string[]) => string | Promise<string>;
  /** Reads what the agent answered or wrote. What cannot be used comes back as diagnostics, never half repaired. */
  readonly read: (done: CommandDone) => Planned<T> | Promise<Planned<T>>;
}

export type Planned<T> =
  | { readonly kind: "good"; readonly value: T }
  | { readonly kind: "bad"; readonly diagnostics: readonly string[] };

export interface PlanningRequest<T> {
  readonly planning: Planning<T>;
  /** Where the planner looks around. */
  readonly worktree: Worktree;
  readonly config: RunConfig;
  readonly operand: string | undefined;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  readonly interruption?: Interruption | undefined;
}

/**
 * Lets an agent plan, in a session of its own: it is supervised, logged and found after a crash like any other.
 *
 * What it makes is only handed back; whoever asked writes it down. So a planner that is cut off has changed nothing.
 */
export async function planWithAgent<T>(ports: Ports, request: PlanningRequest<T>): Promise<T> {
  const { planning, worktree, config, operand } = request;
  const { settings } = await ports.running();
  const runId = `r-${ports.newId()}`;
  const listed = (await (await ports.worktrees()).list()).find(({ path }) => path === worktree.path);
  const place = { worktree, branch: listed?.branch, warnings: [] };
  const run = await detailsOf(ports, {
    runId,
    config,
    place,
    base: undefined,
    kind: "plan",
    isResumable: false,
  });
  let planned: Planned<T> = { kind: "bad", diagnostics: [] };
  const answer = await duringWork(ports, config.plan, async () => {
    const session = await openSession(ports, { plan: operand, worktree, run });
    return conductRun(ports, {
      runId,
      config,
      settings,
      operand,
      integration: undefined,
      sessions: [{ session, branch: place.branch, checkpoints: 0, resumed: false }],
      request,
      warnings: [],
      async loop(worker) {
        const end = await planIn(worker, planning);
        if ("loop" in end) return end.loop;
        planned = end.planned;
        return { kind: "enough" };
      },
    });
  });
  if (answer.ended === "interrupted" || answer.ended === "paused")
    throw new Failure("planner/stopped", `The planner was stopped: ${answer.because ?? answer.ended}.`, {
      session_id: answer.sessions[0],
      paused_until: answer.pausedUntil,
    });
  // Assigned in the loop, which the compiler does not see.
  const result = planned as Planned<T>;
  if (result.kind === "good") return result.value;
  throw new Failure(
    "planner/gave-up",
    `The planner was told ${MOST_RETURNS} times what is wrong; the last: ${result.diagnostics.slice(0, 3).join("; ")}.`,
    { session_id: answer.sessions[0], diagnostics: result.diagnostics },
  );
}

type InLoop<T> = { readonly planned: Planned<T> } | { readonly loop: LoopEnd };

/** Asks, reads, and asks again with what was wrong. */
async function planIn<T>(worker: Worker, planning: Planning<T>): Promise<InLoop<T>> {
  const { name, timeoutMs, prompt, read } = planning;
  const agent = chooseAgent(worker, undefined);
  let diagnostics: readonly string[] = [];
  for (let round = 1; round <= MOST_RETURNS + 1;) {
    if (worker.interruption.signal() !== undefined) return { loop: { kind: "interrupted" } };
    const done = await runCommand(worker, {
      command: { name, type: "plan", timeoutMs, maxTurns: undefined },
      place: { iteration: round, position: 0, specId: undefined },
      held: undefined,
      agent,
      prompt: await prompt(diagnostics),
      heart: undefined,
      again: round > 1,
    });
    if (wasCut(worker, undefined, done.end)) return { loop: { kind: "interrupted" } };
    const { outcome } = done.end.verdict;
    if (PAUSES.has(outcome)) {
      const over = await pause(worker, { kind: "paused", verdict: done.end.verdict, agent: agent.name });
      if (over) return { loop: over };
      continue;
    }
    const planned: Planned<T> =
      outcome === "finished"
        ? await read(done)
        : { kind: "bad", diagnostics: [`the planner ended with ${outcome}`] };
    if (planned.kind === "good") return { planned };
    ({ diagnostics } = planned);
    worker.tell({ event: "note", text: `${name}: ${diagnostics.slice(0, 3).join("; ")}` });
    round += 1;
  }
  return { planned: { kind: "bad", diagnostics } };
}
