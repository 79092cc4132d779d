import { EXIT_CODES } from "../domain/index.ts";
import { snakeCase } from "../journal/index.ts";
import type { RunView } from "../views/index.ts";
import type { CommandOutcome } from "./command.ts";

/** What `--resume-or-start` finds to do. */
export type NextWork =
  | { readonly kind: "resume"; readonly session: string }
  /** A run of the plan is at work: a second one would only take its steps. */
  | { readonly kind: "running"; readonly run: RunView }
  /** Nothing was interrupted. A run that finds every step completed says so and ends with 0. */
  | { readonly kind: "start" };

/** Decides between runs of this clone, newest first: what works is left alone, what was interrupted is resumed. */
export function nextWork(runs: readonly RunView[]): NextWork {
  const here = runs.filter(({ here, kind }) => here && kind === "run");
  const running = here.find(({ status }) => status === "in_progress");
  if (running) return { kind: "running", run: running };
  const session = here.find(({ resumable }) => resumable)?.sessions.find(({ resumable }) => resumable);
  return session === undefined ? { kind: "start" } : { kind: "resume", session: session.id };
}

/** A job that starts again before the last one ended has nothing to do now. */
export const alreadyRunning = (run: RunView): CommandOutcome => ({
  data: snakeCase({ running: run }),
  text: (paint) =>
    `Run ${paint.bold(run.runId.slice(0, 10))} of ${paint.bold(run.planPath ?? "this plan")} is running already; nothing was started.`,
  exitCode: EXIT_CODES.waiting,
});
