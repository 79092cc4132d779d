import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChildPrograms, childPrograms } from "../support/child-program.ts";
import { checkHistory, type HistoryCall } from "../support/history-checker.ts";
import { workTogether } from "../support/kill-run.ts";
import type { Neutralised } from "../support/neutralise.ts";
import { chosenSeed } from "../support/random.ts";
import type { JournalLine } from "../support/replay-journal.ts";
import { workSite } from "../support/work-site.ts";

const SEED = chosenSeed();
const WORKERS = 6;

let programs: ChildPrograms<"worker">;
beforeAll(async () => {
  programs = await childPrograms("worker");
});
afterAll(() => programs.remove());

/** Six workers on a small plan, with short leases and some dawdling: many steps change hands under living owners. */
async function contend(broken: Neutralised | undefined, most: number) {
  const site = await workSite({ workers: WORKERS, steps: 40, ...(broken === undefined ? {} : { broken }) });
  try {
    const endings = await workTogether({ site, programs, workers: WORKERS, seed: SEED, most });
    const { operations, calls } = site.history();
    const fenced = calls.filter((call) => call.answer?.code === "E076").length;
    return { endings, violations: site.violations(), operations, fenced };
  } finally {
    site.remove();
  }
}

describe(`histories of workers that contend for steps (seed ${SEED})`, () => {
  it("hold together, and owners that lost their step were indeed turned away", async () => {
    const { endings, violations, operations, fenced } = await contend(undefined, 400);
    console.log(
      `seed ${SEED}: ${operations} operations by ${WORKERS} workers, ${fenced} by owners that had lost their step`,
    );
    expect(endings).toEqual([]);
    expect(violations, `seed ${SEED}`).toEqual([]);
    expect(operations).toBeGreaterThanOrEqual(WORKERS * 400);
    expect(fenced, "otherwise nothing was put to the test").toBeGreaterThan(5);
  });

  it("fall apart when numbers are not compared (negative control)", async () => {
    const { violations } = await contend("numbers", 400);
    expect(violations.filter((line) => line.startsWith("stale:")).length).toBeGreaterThan(0);
    expect(
      violations.filter((line) => /number \d+ was used, \d+ was in force/.test(line)).length,
    ).toBeGreaterThan(0);
  });

  it("fall apart when choosing a step and taking it are two things (negative control)", async () => {
    const { violations } = await contend("choice", 200);
    expect(
      violations.filter((line) => /^(double|lost|robbed|order|stale):|numbers must rise|^I\d/.test(line))
        .length,
    ).toBeGreaterThan(0);
  });
});

describe("the checker itself", () => {
  const FAMILY = { substeps: () => [], parent: () => undefined };
  const line = (id: number, event: string, claim: number, worktree: string | null = "/a"): JournalLine => ({
    id,
    at: "now",
    plan_path: "p",
    anchor: "s",
    event,
    claim,
    worktree,
    session_id: null,
    detail: "{}",
  });
  const call = (
    worker: string,
    verb: string,
    from: number,
    to: number,
    more: Partial<HistoryCall> & { given?: number; code?: string } = {},
  ): HistoryCall => {
    const { given, code, ...rest } = more;
    return {
      worker,
      worktree: `/${worker}`,
      verb,
      again: false,
      step: verb === "claim" ? undefined : "s",
      claim: undefined,
      requestId: undefined,
      startedAt: from,
      answer: {
        endedAt: to,
        ok: code === undefined,
        code,
        ...(given === undefined ? {} : { anchor: "s", claim: given }),
      },
      ...rest,
    };
  };
  const verdict = (calls: readonly HistoryCall[], journal: readonly JournalLine[]) =>
    checkHistory(calls, journal, FAMILY);
  const GRANT = line(1, "claimed", 1);
  const LIFE = [GRANT, line(2, "started", 1), line(3, "completed", 1)];

  it("finds nothing in a history that is sound", () => {
    expect(
      verdict(
        [
          call("a", "claim", 1, 2, { given: 1 }),
          call("a", "start", 3, 4, { claim: 1 }),
          call("a", "complete", 5, 6, { claim: 1 }),
        ],
        LIFE,
      ),
    ).toEqual([]);
  });

  it.each<[string, readonly HistoryCall[], readonly JournalLine[], RegExp]>([
    ["a claim that is lost", [call("a", "claim", 1, 2, { given: 1 })], [], /^lost: a claim/],
    [
      "a completion that is lost",
      [call("a", "complete", 1, 2, { claim: 1 })],
      LIFE.slice(0, 2),
      /^lost: a complete/,
    ],
    [
      "one number given to two",
      [call("a", "claim", 1, 2, { given: 1 }), call("b", "claim", 1, 2, { given: 1 })],
      [GRANT],
      /^double: s under 1 was given to a and to b/,
    ],
    [
      "a grant that the journal gives to another worker",
      [call("b", "claim", 1, 2, { given: 1 })],
      [GRANT],
      /^double: .* the journal says \/a/,
    ],
    ["a number that comes again", [], [GRANT, line(2, "reclaimed", 1)], /numbers must rise/],
    [
      "a number that falls",
      [],
      [line(1, "claimed", 5), line(2, "released", 5), line(3, "claimed", 4)],
      /numbers must rise/,
    ],
    [
      "a call under an old number that was accepted",
      [call("b", "claim", 1, 2, { given: 2 }), call("a", "update", 3, 4, { claim: 1 })],
      [GRANT, line(2, "reclaimed", 2, "/b")],
      /^stale: a update s 1/,
    ],
    [
      "a completion under another number than the one in force",
      [],
      [GRANT, line(2, "started", 1), line(3, "completed", 7)],
      /number 7 was used, 1 was in force/,
    ],
    [
      "a completion by another worker",
      [],
      [GRANT, line(2, "started", 1), line(3, "completed", 1, "/b")],
      /\/b acted, \/a held the step/,
    ],
    ["a step that is completed twice", [], [...LIFE, line(4, "completed", 1)], /it was completed/],
    [
      "a step that is claimed while it is completed",
      [],
      [...LIFE, line(4, "claimed", 2)],
      /it was completed/,
    ],
    [
      "an owner that is turned away for nothing",
      [call("a", "update", 3, 4, { claim: 1, code: "E076" })],
      [GRANT],
      /^robbed: a update/,
    ],
    [
      "a journal in another order than things happened",
      [call("a", "complete", 5, 6, { claim: 1 }), call("b", "claim", 7, 8, { given: 0 })],
      [{ ...line(0, "claimed", 0, "/b"), anchor: "s" }, ...LIFE],
      /^order: b claim/,
    ],
  ])("finds %s", (_what, calls, journal, expected) => {
    expect(verdict(calls, journal)).toContainEqual(expect.stringMatching(expected));
  });
});
