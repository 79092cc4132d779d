import { Failure } from "../domain/index.ts";
import { snakeCase } from "../journal/index.ts";
import { BY_SIGNAL } from "./by-signal.ts";
import type { CommandOutcome } from "./command.ts";
import type { Context } from "./context.ts";

type Interruption = ReturnType<Context["interruption"]>;

/** Lets a signal end the check of a merge; the exit code says so. */
export async function interruptible(
  context: Context,
  work: (interruption: Interruption) => Promise<CommandOutcome>,
): Promise<CommandOutcome> {
  const interruption = context.interruption();
  try {
    return await work(interruption);
  } catch (error) {
    const signal = interruption.signal();
    if (!(error instanceof Failure) || error.problem !== "merge/cut-off" || signal === undefined) throw error;
    return {
      data: snakeCase(error.details),
      exitCode: BY_SIGNAL[signal],
      text: (paint) => `${paint.yellow("Stopped.")} ${paint.plain(error.message)} Nothing moved.`,
    };
  }
}
