import { describe, expect, it } from "vitest";
import { Failure } from "../../../domain/errors.ts";
import { retryLocked } from "./retry-locked.ts";
import type { RunGit } from "../process/run-git.ts";

const CALL = { args: ["merge"], access: "write" } as const;

const locked = (said: string): Failure => new Failure("git/failed", said, { stderr: [said] });

/** Fails so many times, then answers. */
function failing(times: number, failure: Failure): { readonly run: RunGit; readonly calls: () => number } {
  let calls = 0;
  return {
    calls: () => calls,
    run: () => {
      calls += 1;
      return calls <= times ? Promise.reject(failure) : Promise.resolve("done");
    },
  };
}

describe("retryLocked", () => {
  it.each([
    "fatal: Unable to create '/repo/.git/index.lock': File exists.",
    "error: could not lock config file .git/config: File exists",
    "error: unable to write file /repo/.git/objects/e8/8ea915: No such file or directory",
  ])("tries again after %j", async (said) => {
    const { run, calls } = failing(3, locked(said));
    expect(await retryLocked(run)(CALL)).toBe("done");
    expect(calls()).toBe(4);
  });

  it("gives up after its limit and names the lock", async () => {
    const { run } = failing(
      Infinity,
      locked("fatal: Unable to create '/repo/.git/index.lock': File exists."),
    );
    await expect(retryLocked(run, 50)(CALL)).rejects.toMatchObject({
      problem: "git/busy",
      details: { lock: "/repo/.git/index.lock" },
    });
  });

  it("does not repeat what failed for another reason", async () => {
    const { run, calls } = failing(1, locked("fatal: not a git repository"));
    await expect(retryLocked(run)(CALL)).rejects.toMatchObject({ problem: "git/failed" });
    expect(calls()).toBe(1);
  });
});
