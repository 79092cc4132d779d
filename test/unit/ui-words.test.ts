import { describe, expect, it } from "vitest";
import { duration, factWords, inWords, reasonWords, roughly, shortId } from "../../ui/words.ts";

describe("times as people say them", () => {
  it.each([
    [0, "under 0.1 s"],
    [420, "0.4 s"],
    [12_900, "12 s"],
    [60_000, "1 min"],
    [72_000, "1 min 12 s"],
    [11 * 60_000 + 5000, "11 min"],
    [7_500_000, "2 h 5 min"],
    [90_000_000, "1 d 1 h"],
  ])("%i ms took %s", (ms, text) => expect(duration(ms)).toBe(text));

  it.each([
    [5000, "5 s"],
    [72_000, "1 min"],
    [5_400_000, "1 h"],
  ])("%i ms ago is %s ago", (ms, text) => expect(roughly(ms)).toBe(text));
});

describe("codes", () => {
  it("are words on the page", () => {
    expect(reasonWords("verification_escalated")).toBe("attempts used up");
    expect(reasonWords("agent_failed")).toBe("the agent failed, attempts used up");
    expect(reasonWords("process_kill")).toBe("by a kill or crash");
    expect(reasonWords("constructor")).toBe("constructor");
    expect(factWords("on_hold")).toBe("on hold");
    expect(factWords("because of on_hold")).toBe("because of on_hold");
    expect(factWords("a".repeat(40))).toBe("a".repeat(10));
  });

  it("in lists and parts stand without the marks of JSON", () => {
    expect(factWords(["task 1 completed", "test 1 completed"])).toBe("task 1 completed, test 1 completed");
    expect(factWords([{ kind: "snapshot", saved_ref: "refs/pawl/x", note: null }])).toBe(
      "kind snapshot saved ref refs/pawl/x",
    );
    expect(factWords(0)).toBe("0");
    expect(factWords("2026-11-16T06:33:05.311Z")).not.toContain("311Z");
  });

  it("inside a sentence are words, and names as short as elsewhere", () => {
    const said = inWords(
      `Session s-1f0c2d3e-0000-4000-8000-000000000000 stopped (process_kill) at ${"b".repeat(40)}, not_a_code`,
    );
    expect(said).toBe("Session s-1f0c2d3e stopped (by a kill or crash) at bbbbbbbbbb, not_a_code");
    expect(inWords("at 2026-11-16T06:33:05.311Z")).not.toContain("311Z");
    const log = ".git/pawl/logs/s-1f0c2d3e-0000-4000-8000-000000000000/0001-verify.log";
    expect(inWords(`see ${log}`)).toBe(`see ${log}`);
  });

  it("of sessions are as short as on the command line", () => {
    const id = "s-1f0c2d3e-0000-4000-8000-000000000000";
    expect(shortId(id)).toBe("s-1f0c2d3e");
    expect(factWords(id)).toBe("s-1f0c2d3e");
  });
});
