import type { RunEvent } from "../flow/run/run-event.ts";
import type { RunAnswer } from "../flow/run/run-plan.ts";
import { type Outcome, Unfinished } from "./command.ts";
import type { Context } from "./context.ts";
import { runOutcome } from "./run-outcome.ts";
import { telling } from "./text/telling.ts";

/** What a run calls while it goes, and when an error ends it. */
interface Hearing {
  readonly onEvent: (event: RunEvent) => void;
  readonly onBroken: (answer: RunAnswer) => void;
}

/** Tells what happens in a run and what came of it, also where an error ended it. */
export async function toldRun(
  context: Context,
  work: (hearing: Hearing) => Promise<RunAnswer>,
): Promise<Outcome> {
  let broken: RunAnswer | undefined;
  const onBroken = (answer: RunAnswer) => void (broken = answer);
  try {
    return runOutcome(await telling(context, (onEvent) => work({ onEvent, onBroken })));
  } catch (error) {
    throw broken ? new Unfinished(error, runOutcome(broken)) : error;
  }
}
