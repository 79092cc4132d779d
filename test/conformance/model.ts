import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkModel } from "../support/play-model.ts";
import { type ConformanceWorld, openWorld, type OpenStore } from "./store.ts";

const VERBS = [
  "claim",
  "start",
  "update",
  "artifact",
  "heartbeat",
  "complete",
  "release",
  "reset",
  "hold",
  "retry",
];

/** From here on every verb is met by chance. */
const MANY = 200;

/** Random histories against a model that is simple enough to be right. */
export function modelConformance(name: string, open: OpenStore, runs: number, seed?: number): void {
  describe(`${name} and the model agree`, () => {
    let world: ConformanceWorld;
    beforeAll(async () => {
      world = await openWorld(open);
    });
    afterAll(() => world.close());

    it(`on ${runs} random histories`, { timeout: 600_000 }, async () => {
      const tally = await checkModel(world, runs, seed);
      expect(tally.get("complete ok") ?? 0, "completions").toBeGreaterThan(0);
      // Histories in which nothing succeeds, or no worker is ever fenced off, prove nothing; a few may miss the rarest.
      if (runs < MANY) return;
      const verbs = [...VERBS, "reopen", "forceRelease"].filter((verb) => !tally.has(`${verb} ok`));
      expect(verbs, `never done, seed ${seed}`).toEqual([]);
      expect(tally.get("complete E076") ?? 0, "late completions").toBeGreaterThan(0);
    });
  });
}
