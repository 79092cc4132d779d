import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Pawl, pawlOn } from "../../src/pawl.ts";
import type { Ports } from "../../src/ports/index.ts";
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

/**
 * Verbs that change nothing of their own; one whose kills need a server and are made beside its tests; and those of the
 * git side, which have sweeps of their own: `clean` takes worktrees down the way `remove` does, a drop is one effect, and
 * finishing an intent is a completion.
 */
const NOT_HERE: ReadonlySet<string> = new Set<keyof Pawl>([
  "show",
  "showAll",
  "step",
  "ready",
  "events",
  "explain",
  "close",
  "copyStore",
  // Those that start agents; run and resume are killed in run.test.ts.
  "run",
  "resume",
  "improve",
  "verify",
  "listSessions",
  "showSession",
  "readLog",
  "previewRun",
  "abandonSession",
  "cleanSessions",
  "restoreSession",
  "commit",
  "finishIntents",
  "createWorktree",
  "listWorktrees",
  "removeWorktree",
  "cleanWorktrees",
  "mergeWorktree",
  "takeSnapshot",
  "listSnapshots",
  "showSnapshot",
  "restoreSnapshot",
  "dropSnapshot",
]);

it("every verb that changes something is killed here", () => {
  const killed = new Set(SCENARIOS.flatMap(({ verb }) => verb));
  const verbs = Object.keys(pawlOn({} as Ports)).filter((verb) => !NOT_HERE.has(verb));
  expect(verbs.filter((verb) => !killed.has(verb as keyof Pawl))).toEqual([]);
});

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
