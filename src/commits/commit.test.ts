import { chmodSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cleanEnv, testRepository, type TestRepository } from "../../test/support/repository.ts";
import { planText } from "../../test/support/plans.ts";
import { pawlOn } from "../api.ts";
import { compose } from "../compose.ts";
import type { Ports } from "../platform/ports/ports.ts";
import { openSession } from "../sessions/open-session.ts";
import { commit as commitStep } from "./commit.ts";
import { finishIntents } from "./finish-intents.ts";

const PLAN = "plan.md";
const STEP = "step-1";

/** Commits of a step in a real repository, by a session that can be dead. */
describe("a commit", () => {
  let repo: TestRepository;
  let ports: Ports;
  let session: string;
  let claim: number;
  const dead = new Set<string>();

  beforeEach(async () => {
    repo = testRepository();
    repo.write(PLAN, planText([{ number: "1" }, { number: "2" }]));
    repo.git("add", "-A");
    repo.git("commit", "-q", "-m", "plan");
    const base = await compose({ cwd: repo.path, env: cleanEnv() });
    ports = {
      ...base,
      lifelines: {
        hold: () => ({ letGo: () => undefined }),
        look: (id) => (dead.has(id) ? "free" : "held"),
        stale: () => [],
        forget: () => undefined,
      },
    };
    const pawl = pawlOn(ports);
    await pawl.init({ plan: PLAN });
    const worktree = ports.repository.worktree(repo.path);
    session = (await openSession(ports, { plan: PLAN, worktree })).id;
    claim = (await pawl.claim({ plan: PLAN, worktree: repo.path, session, start: true })).claim!;
    repo.write("work.txt", "work\n");
  });
  afterEach(async () => {
    await pawlOn(ports).close();
    dead.clear();
    repo.remove();
  });

  const commit = (on: Ports = ports) =>
    pawlOn(on).commit({ plan: PLAN, step: STEP, worktree: repo.path, session, claim, message: "work" });

  /** Ports of a process that dies at one of its transactions that write. */
  const diesAt = (nth: number): Ports => {
    let writes = 0;
    return {
      ...ports,
      async database(options) {
        const database = await ports.database(options);
        return {
          ...database,
          write(work, how) {
            writes += 1;
            return writes >= nth ? Promise.reject(new Error("killed")) : database.write(work, how);
          },
        };
      },
    };
  };

  /** The commit is made and signed, and its owner dies before the state knows. */
  const dieAfterCommitting = async () => {
    await expect(commit(diesAt(2))).rejects.toThrow("killed");
    expect(repo.git("log", "-1", "--format=%s")).toBe("work");
    dead.add(session);
  };
  const statusOf = async () => (await pawlOn(ports).show({ plan: PLAN })).steps[0]?.status;

  it("completes its step when its owner died right after it", async () => {
    await dieAfterCommitting();
    const head = repo.git("rev-parse", "HEAD");
    expect(await finishIntents(ports)).toMatchObject([{ outcome: "completed", commit: head }]);
    expect(await statusOf()).toBe("completed");
  });

  it("that was reverted since completes nothing", async () => {
    await dieAfterCommitting();
    repo.git("revert", "--no-edit", "HEAD");
    expect(await finishIntents(ports)).toMatchObject([{ outcome: "open", commit: null }]);
    expect(await statusOf()).toBe("in_progress");
  });

  it("completes nothing by a signature that was copied from another one", async () => {
    await dieAfterCommitting();
    const message = repo.git("log", "-1", "--format=%B");
    repo.git("reset", "-q", "--hard", "HEAD^");
    repo.write("other.txt", "another person's\n");
    repo.git("add", "other.txt");
    repo.git("commit", "-q", "-m", message);
    expect(await finishIntents(ports)).toMatchObject([{ outcome: "open", commit: null }]);
    expect(await statusOf()).toBe("in_progress");
  });

  /** Ports that note when a commit is flushed, and how its step stood then. */
  const flushing = (order: string[], more: Partial<Awaited<ReturnType<Ports["commits"]>>> = {}): Ports => ({
    ...ports,
    async commits() {
      const commits = await ports.commits();
      return {
        ...commits,
        async flush(worktree) {
          await commits.flush(worktree);
          order.push(`flushed, ${await statusOf()}`);
        },
        ...more,
      };
    },
  });

  it("is on the disk before the state calls its step completed", async () => {
    const order: string[] = [];
    expect(await commit(flushing(order))).toMatchObject({ completed: true });
    expect(order[0]).toBe("flushed, in_progress");
  });

  it("that a killed call had made is on the disk before the next call completes its step", async () => {
    await expect(commit(diesAt(2))).rejects.toThrow("killed");
    const order: string[] = [];
    expect(await commit(flushing(order))).toMatchObject({ completed: true, resumed: true });
    expect(order[0]).toBe("flushed, in_progress");
  });

  it("that a git made which seemed to have failed is found, and flushed like any other", async () => {
    const order: string[] = [];
    const { make } = await ports.commits();
    const failing = flushing(order, {
      async make(worktree, request) {
        expect(await make(worktree, request)).toMatchObject({ made: true });
        return { made: false, said: "" };
      },
    });
    expect(await commit(failing)).toMatchObject({
      completed: true,
      commitHash: repo.git("rev-parse", "HEAD"),
    });
    expect(order[0]).toBe("flushed, in_progress");
  });

  it("of other files than were verified is not made, and what was staged stays staged", async () => {
    repo.git("add", "work.txt");
    const { tree } = await ports.commits();
    const worktree = ports.repository.worktree(repo.path);
    const verified = await tree(worktree);
    repo.write("since.txt", "written after the check\n");
    const asked = { plan: PLAN, step: STEP, caller: { worktree, session, claim }, message: "work" };
    await expect(commitStep(ports, { ...asked, tree: verified })).rejects.toMatchObject({
      problem: "run/tree-changed",
    });
    expect(repo.git("diff", "--cached", "--name-only")).toBe("work.txt");
  });

  it("that a hook refuses leaves what was staged by hand as it was", async () => {
    repo.write("work.txt", "staged\n");
    repo.git("add", "work.txt");
    repo.write("work.txt", "written since\n");
    repo.write("unstaged.txt", "never staged\n");
    chmodSync(repo.write(".git/hooks/pre-commit", "#!/bin/sh\nexit 1\n"), 0o755);
    await expect(commit()).rejects.toMatchObject({ problem: "commit/refused" });
    expect(repo.git("show", ":work.txt")).toBe("staged");
    expect(repo.git("diff", "--cached", "--name-only")).toBe("work.txt");
  });

  it("of a session's step is completed by that session alone", async () => {
    await expect(commit(diesAt(2))).rejects.toThrow("killed");
    const stranger = { plan: PLAN, step: STEP, worktree: repo.path, message: "work" };
    const answer = await pawlOn(ports)
      .commit(stranger)
      .catch((error: unknown) => error);
    expect(answer).not.toMatchObject({ completed: true });
    expect(await statusOf()).toBe("in_progress");
    expect(await commit()).toMatchObject({ completed: true, resumed: true });
  });
});
