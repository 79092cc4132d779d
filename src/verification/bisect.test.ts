import { describe, expect, it } from "vitest";
import { bisect } from "./bisect.ts";

/** The same numbers for the same seed. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A plan whose trees fail from one place on; the check counts how often it is run. */
function plan(count: number, firstBad: number, known: ReadonlyMap<number, boolean> = new Map()) {
  const seen = new Map(known);
  seen.set(count - 1, false);
  const ran: number[] = [];
  return {
    ran,
    count,
    known: (at: number) => seen.get(at),
    async passes(at: number) {
      expect(seen.has(at), `tree ${at} is verified twice`).toBe(false);
      ran.push(at);
      seen.set(at, at < firstBad);
      return at < firstBad;
    },
  };
}

const most = (steps: number): number => Math.ceil(Math.log2(steps)) + 1;

describe("the first tree that fails", () => {
  it("is found in 100 random plans with one regression, within the bound", async () => {
    const random = generator(18);
    for (let round = 0; round < 100; round += 1) {
      const steps = 1 + random(200);
      const firstBad = 1 + random(steps);
      const trial = plan(steps + 1, firstBad);
      expect(await bisect(trial)).toBe(firstBad);
      expect(trial.ran.length, `${steps} steps`).toBeLessThanOrEqual(most(steps));
      // With the one that found out about it, it is more than that only for the first step of 1, 2, 4, 8 …
      if (firstBad > 1 || !Number.isInteger(Math.log2(steps)))
        expect(trial.ran.length + 1, `${steps} steps`).toBeLessThanOrEqual(most(steps));
    }
  });

  it("is found for each step of plans of each length, also from what is known already", async () => {
    const random = generator(7);
    for (let steps = 1; steps <= 40; steps += 1)
      for (let firstBad = 1; firstBad <= steps; firstBad += 1) {
        const pass = random(firstBad);
        const trial = plan(steps + 1, firstBad, new Map([[pass, true]]));
        expect(await bisect(trial)).toBe(firstBad);
        expect(trial.ran.length).toBeLessThanOrEqual(Math.ceil(Math.log2(steps - pass)));
      }
  });

  it("is the one before the plan where that fails already, and no step is blamed", async () => {
    for (let steps = 1; steps <= 64; steps += 1) {
      const trial = plan(steps + 1, 0);
      expect(await bisect(trial)).toBe(0);
      expect(trial.ran.length).toBeLessThanOrEqual(most(steps));
    }
    const told = plan(9, 0, new Map([[0, false]]));
    expect(await bisect(told)).toBe(0);
    expect(told.ran).toEqual([]);
  });

  it("is found in the end when the search is cut off again and again", async () => {
    const seen = new Map<number, boolean>([[32, false]]);
    const ran: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      let isCut = false;
      const found = await bisect({
        count: 33,
        known: (at) => seen.get(at),
        async passes(at) {
          if (isCut) return undefined;
          isCut = true;
          ran.push(at);
          seen.set(at, at < 21);
          return at < 21;
        },
      });
      if (found === undefined) continue;
      expect(found).toBe(21);
      expect(ran.length).toBeLessThanOrEqual(most(32));
      expect(new Set(ran).size).toBe(ran.length);
      return;
    }
    expect.unreachable("it never came to an end");
  });
});
