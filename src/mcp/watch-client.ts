import type { Clock } from "../platform/ports/index.ts";

export interface ClientWatch {
  readonly leaseMs: number;
  readonly clock: Clock;
  /** Resolves when the client answers, whatever it answers; rejects when it does not within the time. */
  readonly ping: (timeoutMs: number) => Promise<void>;
  readonly sleep: (ms: number, wake: AbortSignal) => Promise<void>;
  readonly over: AbortSignal;
  /** When the client last sent something, by uptime. */
  readonly lastHeardMs: () => number;
  /** Called each time the client has been silent for a whole lease. */
  readonly onSilence: () => Promise<void>;
}

/**
 * Asks the client now and then whether it is there.
 *
 * A client that is stopped keeps its pipes open, so their end does not tell. One that never answers a ping has not
 * understood it: its silence means nothing. A machine that slept wakes server and client at once, so silence counts
 * only after a question that was asked while both were awake.
 */
export async function watchClient(watch: ClientWatch): Promise<void> {
  const { leaseMs, clock, ping, sleep, over, lastHeardMs, onSilence } = watch;
  let hasAnswered = false;
  let told = false;
  let heardMs = clock.uptimeMs();
  for (; !over.aborted; await sleep(leaseMs / 3, over)) {
    const isThere = await ping(leaseMs / 3).then(
      () => true,
      () => false,
    );
    heardMs = Math.max(heardMs, lastHeardMs());
    if (isThere) {
      hasAnswered = true;
      told = false;
      heardMs = clock.uptimeMs();
    } else if (hasAnswered && !told && clock.uptimeMs() - heardMs >= leaseMs && !over.aborted) {
      told = true;
      await onSilence();
    }
  }
}
