import { describe, expect, it } from "vitest";
import { watchClient } from "./watch-client.ts";

const LEASE_MS = 90_000;

/** Time passes only in naps and in pings that are not answered. */
function world(answers: (ping: number) => "yes" | "no" | "asleep", rounds: number) {
  let uptimeMs = 1000;
  let heardMs = 0;
  let pings = 0;
  const silences: number[] = [];
  const over = new AbortController();
  const ran = watchClient({
    leaseMs: LEASE_MS,
    clock: { uptimeMs: () => uptimeMs, wallMs: () => 0 },
    sleep: async (ms) => {
      uptimeMs += ms;
    },
    over: over.signal,
    lastHeardMs: () => heardMs,
    ping: async (timeoutMs) => {
      pings += 1;
      if (pings >= rounds) over.abort();
      const answer = answers(pings);
      if (answer === "asleep") uptimeMs += 8 * 3_600_000;
      if (answer !== "no") return;
      uptimeMs += timeoutMs;
      throw new Error("no answer");
    },
    onSilence: async () => {
      silences.push(uptimeMs - 1000);
    },
  });
  return { silences, ran, hear: () => (heardMs = uptimeMs) };
}

describe("the watch over a client", () => {
  it("is quiet while it answers", async () => {
    const { silences, ran } = world(() => "yes", 50);
    await ran;
    expect(silences).toEqual([]);
  });

  it("tells once when it has been silent for a lease, and again after it came back", async () => {
    const { silences, ran } = world((ping) => (ping === 1 || ping === 8 ? "yes" : "no"), 16);
    await ran;
    expect(silences).toHaveLength(2);
    expect(silences[0]).toBeGreaterThanOrEqual(LEASE_MS);
    expect(silences[0]).toBeLessThanOrEqual(LEASE_MS * 1.7);
  });

  it("makes nothing of the silence of one that never answered", async () => {
    const { silences, ran } = world(() => "no", 30);
    await ran;
    expect(silences).toEqual([]);
  });

  it("does not take a night's sleep of the machine for silence", async () => {
    const { silences, ran } = world((ping) => (ping === 4 ? "asleep" : "yes"), 12);
    await ran;
    expect(silences).toEqual([]);
  });
});
