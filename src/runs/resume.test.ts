import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { flatPlan } from "../../test/support/plans.ts";
import { cleanEnv, testRepository, type TestRepository } from "../../test/support/repository.ts";
import { type Act, scriptedPorts } from "../../test/support/scripted-ports.ts";
import { raw } from "../../test/conformance/store.ts";
import { compose } from "../compose.ts";
import type { Ports } from "../platform/ports/ports.ts";
import { allSessions } from "../sessions/find-session.ts";
import { abandon } from "./end-sessions.ts";
import type { RunRecovery } from "./prepare/run-recovery.ts";
import { resume } from "./resume.ts";
import { run, type RunRequest } from "./run.ts";

/** A whole run starts git some hundred times, which takes long where everything else runs too. */
vi.setConfig({ testTimeout: 60_000 });
afterAll(() => vi.resetConfig());

const PLAN = "plan.md";
const ARGV = ["agent"];
const NO_RECOVERY: RunRecovery = {
  repairDamage: async () => [],
  beforeRun: async () => ({ open: [], continued: [] }),
};

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

let calls = 0;
const works: Act = ({ cwd }) => {
  calls += 1;
  writeFileSync(join(cwd, `work-${calls}.txt`), "done\n");
  return 0;
};

/** Ports of a process that is killed when it starts an agent. */
const dying = (order: unknown[] = []) =>
  scriptedPorts(real, () => {
    order.push("agent");
    throw new Error("killed");
  });

/** A run that is killed while its agents work. */
const killed = (more: Partial<RunRequest> = {}): Promise<void> =>
  expect(run(dying().ports, { plan: PLAN, argv: ARGV, ...more }, NO_RECOVERY)).rejects.toThrow("killed");

const write = async (text: string, params: Record<string, string> = {}) => {
  const database = await real.database();
  await database.write((sql) => sql.run(raw(text), params));
};

describe("in a person's own worktree", () => {
  it("a commit that Pawl did not make stops a resume, unless the person says to go on", async () => {
    await killed({ worktree: repo.path });
    repo.git("commit", "-q", "--allow-empty", "-m", "by hand");
    const { ports, started } = scriptedPorts(real, works);
    await expect(resume(ports, {}, NO_RECOVERY)).rejects.toMatchObject({
      problem: "session/mismatch",
      details: { mismatches: [expect.stringMatching(/^1 commit that Pawl did not make came after/)] },
    });
    expect(started).toEqual([]);
    const answer = await resume(ports, { anyway: true }, NO_RECOVERY);
    expect(answer).toMatchObject({ ended: "all_completed" });
  });

  it("a resume needs no such word where nothing came since", async () => {
    await killed({ worktree: repo.path });
    const answer = await resume(scriptedPorts(real, works).ports, {}, NO_RECOVERY);
    expect(answer).toMatchObject({ ended: "all_completed" });
  });
});

it("a session of the run that was abandoned stays so", async () => {
  await killed({ workers: 2 });
  const [, second] = await allSessions(real);
  await abandon(real, { id: second!.id });
  await expect(resume(dying().ports, {}, NO_RECOVERY)).rejects.toThrow("killed");
  const after = await allSessions(real);
  expect(after.find(({ id }) => id === second!.id)?.status).toBe("abandoned");
});

it("stops first whatever any session left running in the worktree", async () => {
  await killed();
  const [row] = await allSessions(real);
  await write(
    `insert into sessions (id, plan_path, worktree, worktree_id, pid, process_started_at, boot_id, host_id, status, started_at, resumable, kind)
     select 's-other', plan_path, worktree, worktree_id, pid, process_started_at, boot_id, host_id, 'abandoned', '2020-01-01T00:00:00.000Z', 0, kind
       from sessions where id = :id`,
    { id: row!.id },
  );
  await write(
    `insert into checkpoints (session_id, number, plan_path, anchor, iteration, position, command, type, process, started_at)
     values ('s-other', 1, 'another.md', 'step-1', 1, 0, 'agent', 'agent', :process, '2020-01-01T00:00:00.000Z')`,
    { process: JSON.stringify({ pid: 4711, bootId: real.machine.bootId }) },
  );
  const order: unknown[] = [];
  const { ports } = dying(order);
  const running = await ports.running();
  const stopping: Ports = {
    ...ports,
    running: async () => ({
      ...running,
      supervisor: {
        ...running.supervisor,
        stopLeftOver: async (record) => {
          order.push(record.pid);
          return { stopped: [], left: [] };
        },
      },
    }),
  };
  await expect(resume(stopping, {}, NO_RECOVERY)).rejects.toThrow("killed");
  expect(order).toContain("agent");
  expect(order.slice(0, order.indexOf("agent"))).toContain(4711);
});
