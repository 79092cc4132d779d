import { describe, expect, it } from "vitest";
import type { RenewalAnswer } from "../../ports/heartbeats.ts";
import { renewUntilLost } from "./renew-until-lost.ts";

const LEASE_MS = 90_000;

/** Time passes only in sleeps, and with what a test lets pass. */
function world() {
  let uptimeMs = 1_000_000;
  const beats: number[] = [];
  let asleepMs = 0;
  return {
    beats,
    /** The machine sleeps within the next sleep: its timer stands still, and uptime does not. */
    fallAsleep: (ms: number) => {
      asleepMs = ms;
    },
    pass: (ms: number) => {
      uptimeMs += ms;
    },
    sinceStart: () => uptimeMs - 1_000_000,
    run: (answer: (count: number) => RenewalAnswer | Promise<RenewalAnswer>, stopAfterMs = 10 * LEASE_MS) =>
      renewUntilLost({
        renew: async () => {
          beats.push(uptimeMs - 1_000_000);
          return answer(beats.length);
        },
        leaseMs: LEASE_MS,
        clock: { uptimeMs: () => uptimeMs, wallMs: () => 0 },
        sleep: async (ms, wake) => {
          await new Promise(setImmediate);
          if (wake?.aborted) return;
          uptimeMs += ms + asleepMs;
          asleepMs = 0;
        },
        isStopped: () => uptimeMs - 1_000_000 >= stopAfterMs,
      }),
  };
}

describe("a heart", () => {
  it("beats at each third of the lease until it is stopped", async () => {
    const { run, beats } = world();
    expect(await run(() => "renewed", 100_000)).toBeUndefined();
    expect(beats).toEqual([30_000, 60_000, 90_000]);
  });

  it("says why when the claim is refused, and beats no more", async () => {
    const { run, beats } = world();
    expect(await run((count) => (count === 2 ? { lost: "taken over" } : "renewed"))).toBe("taken over");
    expect(beats).toEqual([30_000, 60_000]);
  });

  it("ends quietly when there is nothing more to keep", async () => {
    const { run, beats } = world();
    expect(await run(() => "over")).toBeUndefined();
    expect(beats).toEqual([30_000]);
  });

  it("retries soon when a heartbeat does not get through, and continues when one does", async () => {
    const { run, beats } = world();
    const answer = (count: number) => {
      if (count === 1 || count === 2) throw new Error("disk full");
      return "renewed" as const;
    };
    expect(await run(answer, 80_000)).toBeUndefined();
    expect(beats).toEqual([30_000, 37_500, 45_000, 75_000]);
  });

  it("counts the claim as lost when no beat gets through for a whole lease", async () => {
    const { run, sinceStart } = world();
    const why = await run(() => {
      throw new Error("disk full");
    });
    expect(why).toBe("no heartbeat got through in time: disk full");
    expect(sinceStart()).toBeGreaterThanOrEqual(LEASE_MS);
    expect(sinceStart()).toBeLessThan(LEASE_MS * 1.2);
  });

  it("does not wait longer than the lease for a beat that hangs", async () => {
    const { run, sinceStart } = world();
    const why = await run(() => new Promise<RenewalAnswer>(() => undefined));
    expect(why).toBe("no heartbeat got through in time: no answer");
    expect(sinceStart()).toBe(LEASE_MS);
  });

  it("counts the lease from when a beat was sent, not from when it was answered", async () => {
    const { run, beats, pass } = world();
    await run((count) => {
      if (count === 1) pass(20_000);
      return "renewed";
    }, 65_000);
    expect(beats).toEqual([30_000, 60_000]);
  });

  it("counts the claim as lost one lease after the last renewal was sent, however late that was answered", async () => {
    const { run, beats, pass, sinceStart } = world();
    const why = await run((count) => {
      if (count > 1) return new Promise<RenewalAnswer>(() => undefined);
      pass(20_000);
      return "renewed";
    });
    expect(why).toBe("no heartbeat got through in time: no answer");
    expect(beats).toEqual([30_000, 60_000]);
    expect(sinceStart()).toBe(30_000 + LEASE_MS);
  });

  it("beats at once after the machine slept, because timers stood still and uptime did not", async () => {
    const { run, beats, fallAsleep } = world();
    const night = 8 * 3600_000;
    await run(
      (count) => {
        if (count === 1) fallAsleep(night);
        return "renewed";
      },
      30_000 + night + 6_000,
    );
    expect(beats[0]).toBe(30_000);
    expect(beats[1]).toBeGreaterThanOrEqual(30_000 + night);
    expect(beats[1]).toBeLessThan(30_000 + night + 6_000);
  });
});
