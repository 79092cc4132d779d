import type { Clock } from "../../ports/clock.ts";
import type { Beat } from "../../ports/hearts.ts";

export interface Beating {
  readonly beat: Beat;
  readonly leaseMs: number;
  readonly clock: Clock;
  /** Ends early, without a throw, when it is called off. */
  readonly nap: (ms: number, off?: AbortSignal) => Promise<void>;
  readonly isStopped: () => boolean;
  readonly onBeat: (wallMs: number) => void;
}

/** Timers stand still while a machine sleeps, and uptime does not: so it is looked at the clock often. */
const LONGEST_NAP_MS = 5000;

/** How often a beat that did not get through is tried again within one lease. */
const TRIES_PER_LEASE = 12;

/**
 * Beats at a third of the lease until it is stopped (undefined) or the claim is lost (why).
 *
 * A lease that could not be renewed in time counts as lost, although perhaps nobody took the step: an agent must not
 * go on under a claim that others may have. A lease runs from the moment a beat was sent, because nobody knows when it
 * arrived.
 */
export async function keepBeating(beating: Beating): Promise<string | undefined> {
  const { leaseMs, clock, nap, isStopped, onBeat } = beating;
  let renewedMs = clock.uptimeMs();
  let nextMs = renewedMs + leaseMs / 3;
  let failed = "no answer";
  while (!isStopped()) {
    const nowMs = clock.uptimeMs();
    if (nowMs < nextMs) {
      await nap(Math.min(nextMs - nowMs, LONGEST_NAP_MS));
      continue;
    }
    const answer = await beatOnce(beating, renewedMs);
    if (isStopped() || answer === "over") return undefined;
    if (answer === "renewed") {
      renewedMs = nowMs;
      nextMs = nowMs + leaseMs / 3;
      onBeat(clock.wallMs());
    } else if ("lost" in answer) {
      return answer.lost;
    } else {
      failed = answer.failed ?? failed;
      if (clock.uptimeMs() - renewedMs >= leaseMs) return `no heartbeat got through in time: ${failed}`;
      nextMs = clock.uptimeMs() + leaseMs / TRIES_PER_LEASE;
    }
  }
  return undefined;
}

/** A beat that hangs is given up when the lease ends; what it does later changes nothing. */
async function beatOnce({ beat, leaseMs, clock, nap, isStopped }: Beating, renewedMs: number) {
  const answered = new AbortController();
  const outcome = beat().then(
    (answer) => answer,
    (error: unknown) => ({ failed: error instanceof Error ? error.message : String(error) }),
  );
  const expiry = async () => {
    for (;;) {
      const leftMs = renewedMs + leaseMs - clock.uptimeMs();
      if (answered.signal.aborted || isStopped() || leftMs <= 0) return { failed: undefined };
      await nap(Math.min(leftMs, LONGEST_NAP_MS), answered.signal);
    }
  };
  const answer = await Promise.race([outcome, expiry()]);
  answered.abort();
  return answer;
}
