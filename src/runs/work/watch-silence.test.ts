import { describe, expect, it } from "vitest";
import { watchSilence } from "./watch-silence.ts";

const MINUTE_MS = 60_000;

/** A clock that only sleeping moves, and an agent that does at each time what the script says. */
async function watched(script: {
  readonly endsMs?: number;
  readonly printsAtMs?: readonly number[];
  readonly changesAtMs?: readonly number[];
  readonly sleepsAtMs?: number;
}) {
  const { endsMs = 120 * MINUTE_MS, printsAtMs = [], changesAtMs = [], sleepsAtMs } = script;
  let nowMs = 0;
  let looks = 0;
  let silentAtMs: number | undefined;
  const over = new AbortController();
  const past = (times: readonly number[]) => times.filter((at) => at <= nowMs).length;
  await watchSilence({
    clock: { uptimeMs: () => nowMs, wallMs: () => nowMs },
    async sleep(ms) {
      const isAsleep = sleepsAtMs !== undefined && nowMs <= sleepsAtMs && sleepsAtMs < nowMs + ms;
      nowMs += isAsleep ? ms + 60 * MINUTE_MS : ms;
      if (nowMs >= endsMs) over.abort();
    },
    silenceMs: 10 * MINUTE_MS,
    progress: () => ({ bytes: past(printsAtMs), lastOutputAt: undefined }),
    tree: async () => {
      looks += 1;
      return `tree ${past(changesAtMs)}`;
    },
    treeBefore: "tree 0",
    over: over.signal,
    onSilence: () => {
      silentAtMs = nowMs;
    },
  });
  return { silentAtMs, looks };
}

describe("an agent that", () => {
  it("prints nothing and changes nothing is silent after the time, and the files are read once", async () => {
    expect(await watched({})).toEqual({ silentAtMs: 10 * MINUTE_MS, looks: 1 });
  });

  it("prints now and then is never silent, and its files are never read", async () => {
    const printsAtMs = Array.from({ length: 20 }, (_, index) => index * 9 * MINUTE_MS);
    expect(await watched({ printsAtMs })).toEqual({ silentAtMs: undefined, looks: 0 });
  });

  it("prints once is silent so long after that", async () => {
    const { silentAtMs } = await watched({ printsAtMs: [4 * MINUTE_MS] });
    expect(silentAtMs).toBeGreaterThanOrEqual(14 * MINUTE_MS);
    expect(silentAtMs).toBeLessThanOrEqual(14.5 * MINUTE_MS);
  });

  it("prints nothing but changes files is at work", async () => {
    const changesAtMs = Array.from({ length: 20 }, (_, index) => index * 9 * MINUTE_MS + 1);
    expect((await watched({ changesAtMs })).silentAtMs).toBeUndefined();
    expect((await watched({ changesAtMs: [MINUTE_MS] })).silentAtMs).toBe(20 * MINUTE_MS);
  });

  it("slept with its machine has its time anew", async () => {
    const { silentAtMs } = await watched({ sleepsAtMs: 5 * MINUTE_MS });
    expect(silentAtMs! - 65 * MINUTE_MS).toBeGreaterThanOrEqual(10 * MINUTE_MS);
  });

  it("ends meanwhile is not silent", async () => {
    expect((await watched({ endsMs: 10 * MINUTE_MS })).silentAtMs).toBeUndefined();
  });
});
