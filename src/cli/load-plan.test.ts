import { describe, expect, it } from "vitest";
import { readTugplan } from "../plans/formats/tugplan.ts";
import { planExitCode, issuesOf, shownPath } from "./load-plan.ts";

describe("the path that is shown", () => {
  it.each([
    ["/home/ann", "/home/ann/plan.md", "plan.md"],
    ["/home/ann", "/home/ann/plans/a.md", "plans/a.md"],
    ["/home/ann", "/home/ann/..plan.md", "..plan.md"],
    ["/home/ann", "/home/bob/plan.md", "/home/bob/plan.md"],
    ["/home/ann", "/home/ann", "/home/ann"],
    ["/home/ann", "/home", "/home"],
    ["/", "/plan.md", "plan.md"],
  ])("from %s to %s is %s", (cwd, path, shown) => {
    expect(shownPath(cwd, path)).toBe(shown);
  });
});

describe("what is wrong with a plan", () => {
  const good = readTugplan("### Step 1: a\n");
  const odd = readTugplan("### Step 1: a\n- [] x\n");
  const broken = readTugplan("### Step 1: a\n**Depends on:** #b\n");

  it("is an issue unless it was merely noticed", () => {
    expect([good, odd, broken].map((plan) => issuesOf(plan).map(({ name }) => name))).toEqual([
      [],
      ["plan/unread-box"],
      ["plan/unknown-dependency"],
    ]);
  });

  it("makes a command fail only when it is an error", () => {
    expect([good, odd, broken].map(planExitCode)).toEqual([0, 0, 1]);
  });
});
