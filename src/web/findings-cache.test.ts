import { describe, expect, it } from "vitest";
import { readFindings } from "./finding-card.ts";
import type { FindingCard } from "./wire.ts";
import { findingsCache } from "./findings-cache.ts";

/** A keeper whose looks end when the test says so, and whose time passes when something waits for it. */
function keeper() {
  const world = { sign: "a", nowMs: 1000, looks: 0, atOnce: 0, most: 0, rests: [] as number[] };
  const ends: (() => void)[] = [];
  const findings = findingsCache({
    async look() {
      world.looks += 1;
      world.atOnce += 1;
      world.most = Math.max(world.most, world.atOnce);
      await new Promise<void>((end) => ends.push(end));
      world.atOnce -= 1;
      return [{ subject: world.sign } as FindingCard];
    },
    sign: async () => world.sign,
    nowMs: () => world.nowMs,
    async pause(ms) {
      world.rests.push(ms);
      world.nowMs += ms;
    },
  });
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  return {
    world,
    findings,
    settle,
    end: async (tookMs = 0) => {
      await settle();
      world.nowMs += tookMs;
      ends.shift()!();
      await settle();
    },
  };
}

const subjects = async (cards: Promise<readonly FindingCard[]>) =>
  (await cards).map(({ subject }) => subject);

describe("what is known of findings", () => {
  it("is looked for once for everybody, and again when something has happened or a minute is over", async () => {
    const { world, findings, end } = keeper();
    const both = Promise.all([findings.known(), findings.known(), findings.current()]);
    await end();
    await both;
    await findings.known();
    expect(world.looks).toBe(1);
    world.sign = "b";
    const after = subjects(findings.known());
    await end();
    expect({ after: await after, looks: world.looks }).toEqual({ after: ["b"], looks: 2 });
    world.nowMs += 59_999;
    await findings.known();
    expect(world.looks).toBe(2);
    world.nowMs += 1;
    const late = findings.known();
    await end();
    await late;
    expect(world.looks).toBe(3);
  });

  it("is never computed twice at once: a caller that knows of something newer gets the next result", async () => {
    const { world, findings, settle, end } = keeper();
    const first = subjects(findings.known());
    await settle();
    const asked = [findings.fresh(), findings.fresh(), findings.fresh()].map(subjects);
    world.sign = "b";
    asked.push(subjects(findings.known()));
    await end();
    await end();
    await Promise.all([first, ...asked]);
    expect(await Promise.all(asked)).toEqual([["b"], ["b"], ["b"], ["b"]]);
    expect({ looks: world.looks, most: world.most }).toEqual({ looks: 2, most: 1 });
  });

  it("rests three times as long as a search took, but an action never waits for that", async () => {
    const { world, findings, end } = keeper();
    const first = findings.known();
    await end(400);
    await first;
    world.sign = "b";
    const acting = findings.current();
    await end(400);
    await acting;
    expect(world.rests.filter((ms) => ms > 0)).toEqual([]);
    world.sign = "c";
    const following = findings.known();
    await end(400);
    await following;
    expect(world.rests.filter((ms) => ms > 0)).toEqual([1200]);
  });

  it("is tried again after a look that failed", async () => {
    let fails = true;
    const findings = findingsCache({
      look: async () => {
        if (fails) throw new Error("busy");
        return [];
      },
      sign: async () => "a",
      nowMs: () => 0,
      pause: async () => undefined,
    });
    await expect(findings.known()).rejects.toThrow("busy");
    fails = false;
    expect(await findings.fresh()).toEqual([]);
  });
});

describe("a look", () => {
  it("says why when it could not look", async () => {
    const ask = async () => ({
      data: {},
      issues: [{ name: "store/busy", message: "Another process writes." }],
    });
    await expect(readFindings({ ask })).rejects.toMatchObject({
      problem: "store/busy",
      message: "Another process writes.",
    });
  });
});
