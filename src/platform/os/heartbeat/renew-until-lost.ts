import type { Clock, RenewLease } from "../../ports/index.ts";

export interface Renewing {
  readonly renew: RenewLease;
  readonly leaseMs: number;
  readonly clock: Clock;
  /** Ends early, without a throw, when it is woken. */
  readonly sleep: (ms: number, wake?: AbortSignal) => Promise<void>;
  readonly isStopped: () => boolean;
}

/** Timers stand still while a machine sleeps, and uptime does not: so the clock is read often. */
const LONGEST_SLEEP_MS = 5000;

/** How often a renewal that did not get through is tried again within one lease. */
const TRIES_PER_LEASE = 12;

/**
 * Renews the lease at a third of it until it is stopped (undefined) or the claim is lost (why).
 *
 * A lease that could not be renewed in time counts as lost, although perhaps no worker took the step: an agent must not
 * continue under a claim that others may have. A lease runs from the moment its renewal was sent, because Pawl cannot know when
 * that arrived.
 */
export async function renewUntilLost(renewing: Renewing): Promise<string | undefined> {
  const { leaseMs, clock, sleep, isStopped } = renewing;
  let renewedMs = clock.uptimeMs();
  let nextMs = renewedMs + leaseMs / 3;
  let failed = "no answer";
  while (!isStopped()) {
    const nowMs = clock.uptimeMs();
    if (nowMs < nextMs) {
      await sleep(Math.min(nextMs - nowMs, LONGEST_SLEEP_MS));
      continue;
    }
    const answer = await renewOnce(renewing, renewedMs);
    if (isStopped() || answer === "over") return undefined;
    if (answer === "renewed") {
      renewedMs = nowMs;
      nextMs = nowMs + leaseMs / 3;
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

/** A renewal that hangs is given up when the lease ends; what it does later changes nothing. */
async function renewOnce({ renew, leaseMs, clock, sleep, isStopped }: Renewing, renewedMs: number) {
  const answered = new AbortController();
  const outcome = renew().then(
    (answer) => answer,
    (error: unknown) => ({ failed: error instanceof Error ? error.message : String(error) }),
  );
  const expiry = async () => {
    for (;;) {
      const leftMs = renewedMs + leaseMs - clock.uptimeMs();
      if (answered.signal.aborted || isStopped() || leftMs <= 0) return { failed: undefined };
      await sleep(Math.min(leftMs, LONGEST_SLEEP_MS), answered.signal);
    }
  };
  const answer = await Promise.race([outcome, expiry()]);
  answered.abort();
  return answer;
}
