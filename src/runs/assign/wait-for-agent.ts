import { toInstant } from "../../domain/index.ts";
import type { LoopEnd } from "../finish/run-answer.ts";
import type { Paused } from "../finish/step-end.ts";
import type { Worker } from "../work/worker.ts";

/** Waits for what is not the work's fault, if that is wanted; undefined when it is over. */
export async function waitOutPause(
  worker: Worker,
  { agent }: Pick<Paused, "agent">,
): Promise<LoopEnd | undefined> {
  const { ports, config, pauses, session } = worker;
  const nowMs = ports.clock.wallMs();
  const current = pauses.current(agent, nowMs);
  if (current === undefined) return undefined;
  const { untilMs, because } = current;
  if (untilMs === Infinity) return { kind: "paused", until: undefined, because };
  const until = toInstant(untilMs);
  worker.report({ event: "paused", until, because });
  const tooLong = untilMs - (pauses.row(agent).sinceMs ?? nowMs) > (config.maxWaitMs ?? Infinity);
  if (!config.wait || tooLong) return { kind: "paused", until, because };
  await session.pause(until);
  while (ports.clock.wallMs() < untilMs) {
    if (worker.interruption.signal() !== undefined) return { kind: "interrupted" };
    await sleepUnlessInterrupted(worker, Math.min(untilMs - ports.clock.wallMs(), LONGEST_NAP_MS));
  }
  await session.pause(null);
  return undefined;
}

/** Timers stand still while a machine sleeps, so the clock is read now and then. */
const LONGEST_NAP_MS = 30_000;

/** Waits, unless a person asks the run to end. */
export async function sleepUnlessInterrupted({ running, interruption }: Worker, ms: number): Promise<void> {
  const wake = new AbortController();
  const deafen = interruption.listen(() => wake.abort());
  await running.sleep(ms, wake.signal);
  deafen();
}
