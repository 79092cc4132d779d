import { afterEach, describe, expect, it, vi } from "vitest";
import { Failure } from "../../../domain/errors.ts";
import { retryStart } from "./retry-start.ts";

const full = Object.assign(new Error("spawn git EMFILE"), { code: "EMFILE" });
const notStarted = new Failure("git/failed", "git could not be started.", {}, { cause: full });

/** Fails so often, then goes well. */
function failing(times: number, error: unknown) {
  let calls = 0;
  const start = async () => {
    calls += 1;
    if (calls <= times) throw error;
    return calls;
  };
  return start;
}

it.each([full, notStarted])("starts again what found no room: %s", async (error) => {
  expect(await retryStart(failing(2, error))).toBe(3);
});

it("passes on what failed for another reason", async () => {
  const other = new Failure("git/failed", "git add failed.", {});
  await expect(retryStart(failing(1, other))).rejects.toBe(other);
});

it("does not start anew what may have read a part of its input", async () => {
  await expect(retryStart(failing(1, notStarted), false)).rejects.toBe(notStarted);
  expect(await retryStart(failing(1, full), false)).toBe(2);
});

describe("a git that Ctrl-C ended", () => {
  const byInterrupt = new Failure("git/stopped", "git status was ended by SIGINT.", { signal: "SIGINT" });

  // Other tests share this process.
  afterEach(() => void vi.resetModules());

  /** Modules of their own: whether git is kept apart is for good. */
  async function anew() {
    vi.resetModules();
    const [apart, { retryStart: again }, { Failure: own }] = await Promise.all([
      import("./git-apart.ts"),
      import("./retry-start.ts"),
      import("../../../domain/errors.ts"),
    ]);
    const stopped = new own("git/stopped", byInterrupt.message, byInterrupt.details);
    return { ...apart, again, stopped };
  }

  it("before it began is started again", async () => {
    const { detachGit, noteSignal, again, stopped } = await anew();
    detachGit();
    const start = failing(1, stopped);
    const answer = again(start);
    // As the system does it: the child's end may arrive before the signal.
    noteSignal("SIGINT");
    expect(await answer).toBe(2);
  });

  it("has failed where Pawl received another signal, or none", async () => {
    const { detachGit, noteSignal, again, stopped } = await anew();
    detachGit();
    await expect(again(failing(1, stopped))).rejects.toBe(stopped);
    noteSignal("SIGTERM");
    await expect(again(failing(1, stopped))).rejects.toBe(stopped);
  });

  it("has failed where it had been at work, or its input is used up", async () => {
    const { detachGit, noteSignal, again, stopped } = await anew();
    detachGit();
    let started = 0;
    const late = async () => {
      started += 1;
      await new Promise((resolve) => setTimeout(resolve, 80));
      noteSignal("SIGINT");
      throw stopped;
    };
    await expect(again(late)).rejects.toBe(stopped);
    expect(started).toBe(1);
    noteSignal("SIGINT");
    await expect(again(failing(1, stopped), false)).rejects.toBe(stopped);
  });

  it("has failed where git is not kept apart: the terminal ends both", async () => {
    const { noteSignal, again, stopped } = await anew();
    noteSignal("SIGINT");
    await expect(again(failing(1, stopped))).rejects.toBe(stopped);
  });
});
