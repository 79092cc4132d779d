import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { childPrograms } from "../support/child-program.ts";
import { sweep, type SweepPrograms } from "../support/crash-sweep.ts";
import { SCENARIOS } from "./scenarios.ts";

/**
 * Kills every mutating verb at every effect it has.
 *
 * A crash can only fall between two effects, so trying all of them is trying everything. After each one the same call
 * is made again, undisturbed, and then nothing may tell the world from one in which the first call went well.
 */

let programs: SweepPrograms;
const points = new Map<string, number>();

beforeAll(async () => {
  programs = await childPrograms("verb", "check", "session");
});

afterAll(() => {
  programs.remove();
  const total = [...points.values()].reduce((sum, count) => sum + count, 0);
  const lines = [...points].map(([name, count]) => `  ${String(count).padStart(4)}  ${name}`);
  console.log([`crash points tried: ${total}`, ...lines].join("\n"));
});

/** Fewer than this many moments means that effects are no longer seen, not that the verb has become safe. */
const SUSPICIOUSLY_FEW = 6;

// proves G-no-acked-write-lost
describe("after a kill at any effect, the same call again makes the world whole", () => {
  it.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))("%s", async (name, scenario) => {
    const report = await sweep({ programs, scenario, lanes: 2 });
    points.set(name, report.tried);
    for (const { when, found, wanted } of report.problems) expect(found, when).toEqual(wanted);
    expect(report.points, "the number of crash points").toBeGreaterThanOrEqual(SUSPICIOUSLY_FEW);
    expect(report.tried).toBe(report.points);
  });
});
