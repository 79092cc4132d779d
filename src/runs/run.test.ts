import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { flatPlan } from "../../test/support/plans.ts";
import { cleanEnv, testRepository, type TestRepository } from "../../test/support/repository.ts";
import { type Act, scriptedPorts } from "../../test/support/scripted-ports.ts";
import { raw } from "../../test/conformance/store.ts";
import { compose } from "../compose.ts";
import type { Ports } from "../platform/ports/ports.ts";
import { allSessions } from "../sessions/find-session.ts";
import type { RunRecovery } from "./prepare/run-recovery.ts";
import { abandon } from "./end-sessions.ts";
import { resume } from "./resume.ts";
import { run } from "./run.ts";
import type { RunEvent } from "./work/run-event.ts";

/** A whole run starts git some hundred times, which takes long where everything else runs too. */
vi.setConfig({ testTimeout: 60_000 });
afterAll(() => vi.resetConfig());

const PLAN = "plan.md";
const ARGV = ["agent"];

let repo: TestRepository;
let real: Ports;

beforeEach(async () => {
  repo = testRepository();
  repo.write(PLAN, flatPlan(2));
  repo.git("add", "-A");
  repo.git("commit", "-qm", "plan");
  const composed = await compose({ cwd: repo.path, env: cleanEnv() });
  // The agent is a function, and on no PATH.
  const commands = async () => ({ ...(await composed.commands()), find: () => ({ agent: "/agent" }) });
  real = { ...composed, commands };
});

afterEach(async () => {
  await (await real.database()).close();
  repo.remove();
});

/** An agent that leaves one file for each time it is called. */
const writesFiles = (): Act => {
  let calls = 0;
  return ({ cwd }) => {
    calls += 1;
    writeFileSync(join(cwd, `work-${calls}.txt`), "done\n");
    return 0;
  };
};

const NO_RECOVERY: RunRecovery = {
  repairDamage: async () => [],
  beforeRun: async () => ({ open: [], continued: [] }),
};

describe("a run", () => {
  it("reads the plan once, and then only with each claim", async () => {
    const reads: string[] = [];
    const plans = {
      ...real.plans,
      read: (...args: Parameters<Ports["plans"]["read"]>) => {
        reads.push("read");
        return real.plans.read(...args);
      },
    };
    const work = writesFiles();
    const { ports } = scriptedPorts({ ...real, plans }, (request) => {
      reads.push("agent");
      return work(request);
    });
    const answer = await run(ports, { plan: PLAN, argv: ARGV, maxSteps: 1 }, NO_RECOVERY);
    expect(answer).toMatchObject({ ended: "enough", completed: [{ anchor: "step-1" }] });
    // Its own look, and the claim's: the plan may have been edited while worktrees were made.
    expect(reads.slice(0, reads.indexOf("agent"))).toEqual(["read", "read"]);
  });

  it("recovers once, before any session, and asks the person who decides", async () => {
    const { ports } = scriptedPorts(real, writesFiles());
    const asked: unknown[] = [];
    const ask = async () => undefined;
    const recovery: RunRecovery = {
      repairDamage: async () => ["repaired a branch"],
      async beforeRun(extent, request) {
        const sessions = await allSessions(ports);
        asked.push({ kind: extent.kind, ask: request.ask, onEvent: request.onEvent, sessions });
        return { open: [{ found: "step-2 waits." }], continued: [{ found: "step-3 is old." }] };
      },
    };
    const answer = await run(
      ports,
      { plan: PLAN, argv: ARGV, maxSteps: 1, decider: { ask }, onEvent: () => undefined },
      recovery,
    );
    // Events would be drawn over the question.
    expect(asked).toEqual([{ kind: "full", ask, onEvent: undefined, sessions: [] }]);
    expect(answer.warnings).toEqual([
      "repaired a branch",
      "step-3 is old. This run continues it.",
      "step-2 waits. Decide with: pawl recover",
    ]);
  });
});

describe("a step that was edited after its run was killed", () => {
  it("waits in its worktree, and the next run does the rest in another one", async () => {
    const { ports: dying } = scriptedPorts(real, () => {
      throw new Error("killed in its first step");
    });
    await expect(run(dying, { plan: PLAN, argv: ARGV }, NO_RECOVERY)).rejects.toThrow("killed in its first");
    const steps = () =>
      real
        .database()
        .then((database) =>
          database.read((sql) =>
            sql.all(
              raw<{ anchor: string; status: string; claimed_by: string | null }>(
                "select anchor, status, claimed_by from steps order by step_index",
              ),
              {},
            ),
          ),
        );
    const before = await steps();
    expect(before[0]).toMatchObject({ anchor: "step-1", status: "in_progress" });
    repo.write(PLAN, flatPlan(3).replace("Work 1", "Other words"));
    repo.git("commit", "-qam", "edited");
    const events: RunEvent[] = [];
    const { ports } = scriptedPorts(real, writesFiles());
    const onEvent = (event: RunEvent) => events.push(event);
    const answer = await run(ports, { plan: PLAN, argv: ARGV, onEvent }, NO_RECOVERY);
    expect(answer.completed.map(({ anchor }) => anchor)).toEqual(["step-2", "step-3"]);
    expect((await steps())[0]).toEqual(before[0]);
    expect(events).toContainEqual(
      expect.objectContaining({
        event: "note",
        text: expect.stringContaining("1 step waits for a decision"),
      }),
    );
  });
});

const change = async (text: string): Promise<number> =>
  (await real.database()).write((sql) => sql.run(raw(text), {}));

describe("a runner whose session a person has ended", () => {
  it("starts no agent, and reports nothing to resume", async () => {
    let isClaimed = false;
    const commits = async () => {
      const all = await real.commits();
      const head: typeof all.head = async (worktree) => {
        if (isClaimed) await change("update sessions set status = 'abandoned', ended_at = started_at");
        return all.head(worktree);
      };
      return { ...all, head };
    };
    const { ports, started } = scriptedPorts({ ...real, commits }, writesFiles());
    const onEvent = ({ event }: RunEvent) => void (isClaimed ||= event === "claimed");
    const answer = await run(ports, { plan: PLAN, argv: ARGV, onEvent }, NO_RECOVERY);
    expect(isClaimed).toBe(true);
    expect(started).toEqual([]);
    expect(answer).toMatchObject({ ended: "taken_over", completed: [], resumeWith: null });
  });
});

describe("an interrupted session", () => {
  it("that is abandoned keeps its own snapshot where another session has worked in its worktree since", async () => {
    const dying = (file: string) =>
      run(
        scriptedPorts(real, ({ cwd }) => {
          writeFileSync(join(cwd, file), "half\n");
          throw new Error("killed");
        }).ports,
        { plan: PLAN, argv: ARGV },
        NO_RECOVERY,
      );
    await expect(dying("of-the-first.txt")).rejects.toThrow("killed");
    await expect(dying("of-the-second.txt")).rejects.toThrow("killed");
    const sessions = (await allSessions(real)).toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1));
    const [first, second] = sessions;
    expect(second!.worktree).toBe(first!.worktree);
    expect(first!.snapshot_ref).toMatch(/^refs/);
    const { snapshotRef } = await abandon(real, { id: first!.id });
    expect(snapshotRef).toBe(first!.snapshot_ref);
  });
});

describe("resume", () => {
  it("takes its steps along into another worktree, also where a resume before it could not", async () => {
    const { ports: dying } = scriptedPorts(real, () => {
      throw new Error("killed in its first step");
    });
    await expect(run(dying, { plan: PLAN, argv: ARGV }, NO_RECOVERY)).rejects.toThrow("killed in its first");
    rmSync(join(repo.path, ".pawl/worktrees/plan-w1"), { recursive: true });
    await change(
      "create trigger cut before update on steps when new.status = 'pending' begin select raise(abort, 'cut off'); end",
    );
    const { ports, started } = scriptedPorts(real, writesFiles());
    await expect(resume(ports, {}, NO_RECOVERY)).rejects.toThrow("cut off");
    expect(started).toEqual([]);
    await change("drop trigger cut");
    const answer = await resume(ports, {}, NO_RECOVERY);
    expect(answer).toMatchObject({
      ended: "all_completed",
      completed: [{ anchor: "step-1" }, { anchor: "step-2" }],
    });
  });

  it("completes what was committed before anything is begun", async () => {
    const events: RunEvent[] = [];
    const agent = writesFiles();
    const commits = async () => ({
      ...(await real.commits()),
      flush: () => Promise.reject(new Error("killed right after the commit")),
    });
    const { ports: dying } = scriptedPorts({ ...real, commits }, agent);
    const killed = run(dying, { plan: PLAN, argv: ARGV }, NO_RECOVERY);
    await expect(killed).rejects.toThrow("killed right after the commit");
    const { ports, started } = scriptedPorts(real, agent);
    const answer = await resume(ports, { onEvent: (event) => void events.push(event) }, NO_RECOVERY);
    expect(answer).toMatchObject({ ended: "all_completed", completed: [{ anchor: "step-2" }] });
    expect(events[0]).toMatchObject({ event: "plan", total: 2, completed: 1 });
    expect(started).toEqual(["agent"]);
  });
});
