import { describe, expect, it } from "vitest";
import { ERRORS, type ErrorName, Failure } from "./errors.ts";
import { scopeOf } from "./failure-scope.ts";

const scope = (problem: ErrorName, details = {}) => scopeOf(new Failure(problem, "it failed", details));

describe("a failure in the middle of a step", () => {
  it("has a scope, whatever its name", () => {
    for (const problem of Object.keys(ERRORS) as ErrorName[])
      expect(["run", "step", "work"], problem).toContain(scope(problem));
  });

  it("about the store, the plan, the settings or the machine ends the run", () => {
    const names = (Object.keys(ERRORS) as ErrorName[]).filter((name) =>
      /^(?:store|plan|settings|repository|internal|system|agent)\//.test(name),
    );
    expect(names.length).toBeGreaterThan(30);
    for (const problem of names) expect(scope(problem), problem).toBe("run");
  });

  it.each([
    "git/failed",
    "git/busy",
    "worktree/not-found",
    "worktree/not-savable",
    "worktree/changing",
    "merge/in-the-way",
    "merge/unrelated",
    "snapshot/unstable",
    "run/not-stopped",
    "commit/not-signed",
  ] as const)("%s blocks the step", (problem) => expect(scope(problem)).toBe("step"));

  it.each(["commit/hollow-repository", "commit/nested-repository", "commit/not-addable"] as const)(
    "%s goes back to the agent",
    (problem) => expect(scope(problem)).toBe("work"),
  );

  it.each([
    "fatal: write error: No space left on device",
    "error: unable to create temporary file: Read-only file system",
    "fatal: cannot create thread: Resource temporarily unavailable",
  ])("of git ends the run where the machine is at fault: %s", (line) =>
    expect(scope("git/failed", { stderr: ["error: something", line] })).toBe("run"),
  );
});
