import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { EventView } from "../journal/events.ts";
import { journalFeed, type Message } from "./feed.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/** A journal of so many lines, and a feed over it. */
function shop(signOf: (planPath: string) => Promise<string> = async () => "same") {
  const journal = { lines: 1, looks: 0, isStuck: false };
  const feed = journalFeed({
    pawl: {
      newestLine: () => {
        journal.looks += 1;
        return journal.isStuck ? never() : Promise.resolve(journal.lines);
      },
      events: async ({ after = 0 } = {}) =>
        Array.from({ length: journal.lines - after }, (_, index) => ({ id: after + index + 1 }) as EventView),
      list: async () => [{ planPath: "plan.md" }] as never,
    },
    signOf,
    signOfPlans: async () => "",
    nowMs: () => Date.now(),
  });
  const heard: Message[] = [];
  return { feed, journal, heard, listen: () => feed.listen(1, (message) => void heard.push(message)) };
}

describe("a look that does not end", () => {
  it("at a file keeps no line of the journal back, and is not begun twice", async () => {
    let looks = 0;
    const { feed, journal, heard, listen } = shop(() => {
      looks += 1;
      return never();
    });
    await listen();
    await vi.advanceTimersByTimeAsync(60_000);
    journal.lines = 2;
    await vi.advanceTimersByTimeAsync(1000);
    expect(heard.map(({ id }) => id)).toEqual([2]);
    expect(looks).toBe(1);
    expect(feed.isWell()).toBe(true);
    feed.close();
  });

  it("at the journal is given up after a while, and until then no window reports that all is well", async () => {
    const { feed, journal, heard, listen } = shop();
    await listen();
    await vi.advanceTimersByTimeAsync(1000);
    journal.isStuck = true;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(feed.isWell()).toBe(false);
    expect(journal.looks).toBeLessThan(20);
    journal.isStuck = false;
    journal.lines = 3;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(heard.map(({ id }) => id)).toEqual([2, 3]);
    expect(feed.isWell()).toBe(true);
    feed.close();
  });
});

describe("how soon a window gets news", () => {
  it("a line within 100 ms, a file within 200, and nothing is read while no window is open", async () => {
    let sign = "first";
    let looks = 0;
    const { feed, journal, heard, listen } = shop(async () => {
      looks += 1;
      return sign;
    });
    await vi.advanceTimersByTimeAsync(10_000);
    expect([journal.looks, looks]).toEqual([0, 0]);
    const unlisten = await listen();
    await vi.advanceTimersByTimeAsync(1000);
    for (let round = 0; round < 20; round += 1) {
      // Whenever it comes between two looks.
      await vi.advanceTimersByTimeAsync(37);
      journal.lines += 1;
      await vi.advanceTimersByTimeAsync(100);
      expect(heard.at(-1)).toMatchObject({ kind: "journal", id: journal.lines });
      sign = `changed ${round}`;
      const before = heard.filter(({ kind }) => kind === "file").length;
      await vi.advanceTimersByTimeAsync(200);
      expect(heard.filter(({ kind }) => kind === "file")).toHaveLength(before + 1);
    }
    unlisten();
    const seen = [journal.looks, looks];
    await vi.advanceTimersByTimeAsync(10_000);
    expect([journal.looks, looks]).toEqual(seen);
    feed.close();
  });
});
