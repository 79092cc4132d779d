import { toInstant } from "../domain/index.ts";
import type { RunAnswer, RunEvent } from "../runs/index.ts";
import { type CommandOutcome, Unfinished } from "./command.ts";
import type { Context } from "./context.ts";
import { pageOnDemand } from "./open-page.ts";
import { runOutcome } from "./run-outcome.ts";
import { withReporter } from "./text/run-reporter.ts";

/** What a run calls while it goes, and when an error ends it. */
interface RunListeners {
  readonly onEvent: (event: RunEvent) => void;
  readonly onBroken: (answer: RunAnswer) => void;
}

/** Tells what happens in a run and what came of it, also where an error ended it. */
export async function reportedRun(
  context: Context,
  work: (listeners: RunListeners) => Promise<RunAnswer>,
  { hasPage = false }: { readonly hasPage?: boolean | undefined } = {},
): Promise<CommandOutcome> {
  const page = pageOnDemand(context);
  let broken: RunAnswer | undefined;
  const onBroken = (answer: RunAnswer) => void (broken = answer);
  try {
    const keys = context.keys && {
      watch: context.keys,
      stop: () => void process.kill(process.pid, "SIGINT"),
      page: hasPage ? undefined : page.open,
    };
    const answer = await withReporter(
      context,
      async (report) => {
        const { onEvent, stopListening } = reportStopping(context, report);
        return work({ onEvent, onBroken }).finally(stopListening);
      },
      keys,
    );
    return runOutcome(answer);
  } catch (error) {
    throw broken ? new Unfinished(error, runOutcome(broken)) : error;
  } finally {
    await page.close();
  }
}

/** At the first signal a person sees at once that it was received, and what it takes time for. */
function reportStopping(context: Context, report: RunListeners["onEvent"]) {
  const { signal, listen } = context.interruption();
  const running = new Map<number, string>();
  const stopListening = listen(() => {
    const at = toInstant(Date.now());
    report({ worker: 1, at, event: "stopping", signal: signal()!, running: [...running.values()] });
    stopListening();
  });
  const onEvent = (event: RunEvent) => {
    const now = RUNNING[event.event]?.(event as never);
    if (now !== undefined) running.set(event.worker, now);
    else if (OVER.has(event.event)) running.delete(event.worker);
    report(event);
  };
  return { onEvent, stopListening };
}

type Words = {
  readonly [K in RunEvent["event"]]?: (event: Extract<RunEvent, { readonly event: K }>) => string | undefined;
};

/** What a worker is at after an event. */
const RUNNING: Words = {
  claimed: ({ step }) => step,
  command: ({ step, command }) => (step === undefined ? command : `${command} of ${step}`),
  verifying: ({ step }) => `verification of ${step}`,
  verdict: ({ step, outcome }) => (outcome === "passed" ? `commit of ${step}` : step),
};

const OVER: ReadonlySet<RunEvent["event"]> = new Set<RunEvent["event"]>([
  "completed",
  "blocked",
  "lost",
  "waiting",
]);
