import { describe, expect, it } from "vitest";
import { readSentinel, whyFullScan, writeSentinel } from "./sentinel.ts";

const NOW = Date.parse("2026-11-16T12:00:00.000Z");
const HOUR = 3600 * 1000;

const read = (value: unknown) => readSentinel(JSON.stringify(value));

describe("a sentinel", () => {
  it("is read in every spelling that tools write", () => {
    const wanted = { atMs: NOW, inProgress: ["5", "8"], open: false, runs: [] };
    for (const timestamp of [
      "2026-11-16T12:00:00Z",
      "2026-11-16T13:00:00+01:00",
      NOW,
      NOW / 1000,
      String(NOW),
    ])
      for (const list of ["in_progress_tasks", "in_progress", "in_progress_task_ids"])
        for (const ids of [
          ["5", "8"],
          [5, 8],
        ])
          expect(read({ timestamp, task_count: 15, [list]: ids })).toEqual(wanted);
  });

  it("says nothing when it is no sentinel", () => {
    for (const value of [null, 7, "x", [], {}, { timestamp: "soon" }, { timestamp: -1 }, { timestamp: {} }])
      expect(read(value)).toBeUndefined();
    for (const broken of [
      { in_progress: "5" },
      { in_progress: [{}] },
      { in_progress: [1.5] },
      { open: "no" },
    ])
      expect(read({ timestamp: NOW, ...broken })).toBeUndefined();
    for (const text of ["", "{", '{"timestamp":1e400}', "\u0000", '{"timestamp": "2026'])
      expect(readSentinel(text)).toBeUndefined();
  });

  it("knows nothing of what its own names would inherit", () => {
    expect(readSentinel(`{"timestamp":${NOW},"__proto__":{"open":true}}`)).toMatchObject({ open: false });
  });

  it("is what was written", () => {
    const run = { id: "w-1", plan: null, pid: 7, processStartedAt: "1", bootId: "b" };
    const at = new Date(NOW).toISOString();
    const text = writeSentinel({ at, taskCount: 3, inProgress: ["p#s"], runs: [run] });
    expect(readSentinel(text)).toEqual({ atMs: NOW, inProgress: ["p#s"], open: true, runs: [run] });
    expect(JSON.parse(writeSentinel({ at, taskCount: 3, inProgress: [], runs: [] }))).toEqual({
      timestamp: at,
      task_count: 3,
      in_progress_tasks: [],
      open: false,
    });
  });

  it("saves a full scan only when it is clean, young and not from the future", () => {
    const clean = { atMs: NOW - HOUR, inProgress: [], open: false, runs: [] };
    expect(whyFullScan(clean, NOW, 0)).toBeUndefined();
    expect(whyFullScan({ ...clean, atMs: NOW - 24 * HOUR + 1 }, NOW, 0)).toBeUndefined();
    expect(whyFullScan({ ...clean, atMs: NOW - 24 * HOUR }, NOW, 0)).toContain("24 hours");
    expect(whyFullScan({ ...clean, atMs: NOW + HOUR }, NOW, 0)).toContain("future");
    expect(whyFullScan({ ...clean, open: true }, NOW, 0)).toContain("did not say");
    expect(whyFullScan(undefined, NOW, 0)).toContain("nothing says");
    expect(whyFullScan({ ...clean, journalEnd: 7 }, NOW, 7)).toBeUndefined();
    expect(whyFullScan({ ...clean, journalEnd: 7 }, NOW, 6)).toContain("older");
  });
});
