import type { AgentListener } from "../../agents/index.ts";
import type { AgentEvent } from "../../domain/index.ts";
import type { RunningCommand } from "../../platform/ports/index.ts";

export interface LimitWatch {
  readonly sleep: (ms: number, wake: AbortSignal) => Promise<void>;
  /** The command is over. */
  readonly over: AbortSignal;
  readonly onLimit: () => void;
}

/** A limit of a few seconds is the agent's own business. */
const PATIENCE_MS = 60_000;

/**
 * Notices an agent that waits for a usage limit to end. Some do so for hours, without a word: Pawl waits better, because
 * it says until when, another agent can continue, and the machine may be switched off meanwhile.
 */
export function watchLimits({ sleep, over, onLimit }: LimitWatch): (event: AgentEvent) => void {
  let waiting: AbortController | undefined;
  const wait = async (own: AbortController) => {
    await sleep(PATIENCE_MS, AbortSignal.any([own.signal, over]));
    if (!own.signal.aborted && !over.aborted) onLimit();
  };
  return (event) => {
    if (event.kind === "text" || event.kind === "tool") {
      waiting?.abort();
      waiting = undefined;
    }
    if (event.kind !== "trouble" || event.trouble.kind !== "limited" || waiting) return;
    waiting = new AbortController();
    void wait(waiting);
  };
}

/** Starts an agent, and interrupts it where it only waits for a limit. */
export async function interruptLimited(
  sleep: LimitWatch["sleep"],
  onEvent: AgentListener,
  start: (onEvent: AgentListener) => Promise<RunningCommand>,
): Promise<RunningCommand> {
  const over = new AbortController();
  const watch = watchLimits({ sleep, over: over.signal, onLimit: () => void started.stop("silence") });
  const started = await start((event, report) => {
    watch(event);
    onEvent(event, report);
  });
  void started.ended.finally(() => over.abort()).catch(() => undefined);
  return started;
}
