import { Failure, PAUSES, sessionName } from "../../domain/index.ts";
import { listCheckpoints } from "../../sessions/index.ts";
import { waitOutPause } from "../assign/wait-for-agent.ts";
import { chooseAgent } from "../work/choose-agent.ts";
import { type CommandDone, runSupervised } from "../work/run-command.ts";
import { wasCut } from "../verify/verify-step.ts";
import type { LoopEnd } from "../finish/run-answer.ts";
import type { Worker } from "../work/worker.ts";

/** How often a planner hears what is wrong with its plan before a person must decide. */
const MOST_RETURNS = 3;

/** Not a command of the run's workflow. */
const NOWHERE = -1;

/** What a planner is asked for, and how its work is read. */
export interface Planning<T> {
  /** Names the command in checkpoints and logs: `plan`, `break-down`. */
  readonly name: string;
  readonly timeoutMs: number;
  /** True when the first call hands back what is wrong already: with a plan that another program wrote. */
  readonly beginsWithReturn?: boolean;
  /** `diagnostics` is empty at first, then what was wrong with the round before. */
  readonly prompt: (diagnostics: readonly string[]) => string | Promise<string>;
  /**
   * Reads what there is: before the planner is asked at all, without what it answered, and after each call. What cannot
   * be used comes back as diagnostics, never half repaired.
   */
  readonly read: (done: CommandDone | undefined) => Planned<T> | Promise<Planned<T>>;
}

export type Planned<T> =
  | { readonly kind: "good"; readonly value: T }
  | { readonly kind: "bad"; readonly diagnostics: readonly string[] };

export type PlannerAnswer<T> =
  | Planned<T>
  /** It was cut off or paused, and can go on. */
  | { readonly kind: "stopped"; readonly end: LoopEnd };

/**
 * Asks a planner until what it made can be used, and tells it each time what is wrong.
 *
 * The session's checkpoints say how often it was asked, so a kill in between gives it no more turns.
 */
export async function askPlanner<T>(worker: Worker, planning: Planning<T>): Promise<PlannerAnswer<T>> {
  const { name, timeoutMs, prompt, read, beginsWithReturn = false } = planning;
  const command = { name, type: "plan", timeoutMs, maxTurns: undefined } as const;
  const most = beginsWithReturn ? MOST_RETURNS : MOST_RETURNS + 1;
  const agent = chooseAgent(worker, undefined);
  let planned = await read(undefined);
  for (;;) {
    if (worker.interruption.signal() !== undefined) return { kind: "stopped", end: { kind: "interrupted" } };
    if (planned.kind === "good") return planned;
    const asked = await timesAsked(worker);
    if (asked >= most) return planned;
    const askedMs = worker.ports.clock.wallMs();
    const done = await runSupervised(worker, {
      command,
      place: { iteration: asked + 1, position: NOWHERE, specId: undefined },
      held: undefined,
      agent,
      prompt: await prompt(planned.diagnostics),
      heart: undefined,
      again: asked > 0,
    });
    if (wasCut(worker, undefined, done.end)) return { kind: "stopped", end: { kind: "interrupted" } };
    if (PAUSES.has(done.end.verdict.outcome)) {
      const over = await waitOutPause(worker, { agent: agent.name });
      if (over) return { kind: "stopped", end: over };
      continue;
    }
    worker.pauses.clear(agent.name, askedMs);
    planned = await read(done);
    if (planned.kind === "bad")
      worker.report({ event: "note", text: `${name}: ${planned.diagnostics.slice(0, 3).join("; ")}` });
  }
}

/** A planner that could not even be started properly is another thing than one that forgot what it was asked for. */
export function notWritten(file: string, { end: { verdict, exitCode } }: CommandDone): string {
  const missing = `${file} was not written`;
  if (verdict.outcome !== "failed") return missing;
  return `${missing}, and the planner failed${exitCode === undefined ? "" : ` with exit code ${exitCode}`}`;
}

/** For a person to decide, wherever a planner was asked. */
export function gaveUp(
  problems: string,
  details: Readonly<Record<string, unknown>> & { readonly session_id: string | undefined },
): Failure {
  const message = `The planner wrote no usable plan. Its last attempt: ${problems}.`;
  const logs = `pawl sessions logs${details.session_id === undefined ? "" : ` ${sessionName(details.session_id)}`}`;
  const hint = `Read what is wrong, check the planner's log with \`${logs}\`, and write the plan by hand or try again.`;
  return new Failure("planner/gave-up", message, { ...details, problems }, { hint });
}

/** Calls that ended in a limit or were cut off are not the planner's fault. */
async function timesAsked({ ports, session }: Worker): Promise<number> {
  const database = await ports.database();
  const rows = await database.read((sql) => sql.all(listCheckpoints, { session_id: session.id }));
  return rows.filter(({ outcome }) => outcome !== null && !(PAUSES as ReadonlySet<string>).has(outcome))
    .length;
}
