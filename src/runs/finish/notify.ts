import type { Ports } from "../../platform/ports/index.ts";
import { snakeCase } from "../../journal/index.ts";
import type { RunAnswer } from "./run-answer.ts";

/** Whoever waits for the end of a run waits no longer than this for somebody being told of it. */
const TIMEOUT_MS = 20_000;

/** Tells of the end of a run the way the user wants. One that cannot be told of has ended all the same; the answer is a warning. */
export async function notify(ports: Ports, answer: Omit<RunAnswer, "warnings">): Promise<string | undefined> {
  const argv = ports.settings.notify;
  if (argv === undefined || argv.length === 0) return undefined;
  const { ok, ending } = await (
    await ports.commands()
  ).run(argv, {
    cwd: ports.repository.mainTopLevel ?? ports.repository.commonDir,
    input: `${JSON.stringify(summaryOf(answer))}\n`,
    timeoutMs: TIMEOUT_MS,
  });
  return ok ? undefined : `${argv[0]} was to be told of the end of this run, and ${ending}.`;
}

/** In the words of `--json`. */
const summaryOf = (answer: Omit<RunAnswer, "warnings">) => ({
  plan_path: answer.planPath,
  run_id: answer.runId,
  branch: answer.branch,
  ended: answer.ended,
  signal: answer.signal,
  completed: answer.completed.map(({ anchor, title, commit }) => ({ anchor, title, commit })),
  blocked: answer.blocked,
  paused_until: answer.pausedUntil,
  because: answer.because,
  resume_with: answer.resumeWith,
  duration_ms: answer.durationMs,
  usage: answer.usage && snakeCase(answer.usage),
});
