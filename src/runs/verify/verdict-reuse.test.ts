import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { flatPlan } from "../../../test/support/plans.ts";
import { cleanEnv, testRepository, type TestRepository } from "../../../test/support/repository.ts";
import { scriptedPorts } from "../../../test/support/scripted-ports.ts";
import { claim } from "../../claims/claim.ts";
import { compose } from "../../compose.ts";
import { BUILT_IN_WORKFLOWS } from "../../domain/workflow.ts";
import { save } from "../../plans/save.ts";
import type { Ports } from "../../platform/ports/ports.ts";
import type { Worktree } from "../../platform/ports/repository.ts";
import { openSession } from "../../sessions/open-session.ts";
import { closeCheckpoint } from "../../sessions/sql/close-checkpoint.ts";
import { openCheckpoint } from "../../sessions/sql/open-checkpoint.ts";
import type { ClaimedStep } from "../../steps/claimed-step.ts";
import { reset } from "../../steps/operate.ts";
import { insertAttempt } from "../../verification/sql/insert-attempt.ts";
import { insertTreeVerdict } from "../../verification/sql/insert-tree-verdict.ts";
import { insertVerdict } from "../../verification/sql/insert-verdict.ts";
import { commitVerified } from "../commit-verified.ts";
import { whereToStart } from "../work/where-to-start.ts";
import type { Worker } from "../work/worker.ts";

const PLAN = "plan.md";
const STEP = "step-1";
const CHECK = "./check --all";

let repo: TestRepository;
let ports: Ports;
let started: string[];
let worktree: Worktree;

beforeEach(async () => {
  repo = testRepository();
  repo.write(PLAN, flatPlan(2));
  repo.write("pawl.toml", `[verify]\ncommand = ["./check", "--all"]\n`);
  repo.git("add", "-A");
  repo.git("commit", "-qm", "plan");
  ({ ports, started } = scriptedPorts(await compose({ cwd: repo.path, env: cleanEnv() }), () => 0));
  worktree = ports.repository.worktree(repo.path);
  await save(ports, { plan: PLAN });
});

afterEach(async () => {
  await (await ports.database()).close();
  repo.remove();
});

async function claimStep(): Promise<ClaimedStep> {
  const answer = await claim(ports, { plan: PLAN, caller: { worktree } });
  return { plan: PLAN, anchor: answer.anchor!, title: answer.title!, claim: answer.claim! };
}

/** The files as they lie there, as a tree. */
async function work(text = "done"): Promise<string> {
  repo.write("work.txt", text);
  return (await ports.commits()).tree(worktree);
}

/** As a runner leaves it that is killed between its verdict and its commit. */
async function verdict(held: ClaimedStep, tree: string, more: Partial<Verdict> = {}): Promise<void> {
  const { plan: plan_path, anchor, claim: number } = held;
  const database = await ports.database();
  await database.write(async (sql) => {
    const row = { plan_path, anchor, claim: number, session_id: null, tree, now: sql.now };
    await sql.run(insertAttempt, { ...row, number: 1 });
    const passed: Verdict = { outcome: "passed", because: "passed: before", evidence: "[]" };
    await sql.run(insertVerdict, { ...row, attempt: 1, ...passed, ...more });
    await sql.run(insertTreeVerdict, {
      ...row,
      ...passed,
      ...more,
      checks: JSON.stringify([CHECK.split(" ")]),
      place: "in-place",
      worktree_id: worktree.id,
      kind: "step",
    });
  });
}

interface Verdict {
  readonly outcome: "passed" | "failed";
  readonly because: string;
  readonly evidence: string;
}

const commit = (held: ClaimedStep) =>
  commitVerified(ports, { plan: PLAN, step: held.anchor, caller: { worktree, claim: held.claim } });

const isCommitted = { committed: true, completed: true };

describe("a verdict that was reached before", () => {
  it("stands for the same files under the same claim", async () => {
    const held = await claimStep();
    await verdict(held, await work());
    expect(await commit(held)).toMatchObject(isCommitted);
    expect(started).toEqual([]);
  });

  it("says nothing about other files", async () => {
    const held = await claimStep();
    await verdict(held, await work("before"));
    await work("after");
    expect(await commit(held)).toMatchObject(isCommitted);
    expect(started).toEqual([CHECK]);
  });

  it("says nothing about a step that was begun anew since, with the same files", async () => {
    await verdict(await claimStep(), await work());
    await reset(ports, { plan: PLAN, step: STEP });
    expect(await commit(await claimStep())).toMatchObject(isCommitted);
    expect(started).toEqual([CHECK]);
  });

  it("says nothing about another step with the same files", async () => {
    const held = await claimStep();
    await verdict({ ...held, anchor: "step-2" }, await work());
    expect(await commit(held)).toMatchObject(isCommitted);
    expect(started).toEqual([CHECK]);
  });

  it("stands only if it is a pass", async () => {
    const held = await claimStep();
    await verdict(held, await work(), { outcome: "failed" });
    expect(await commit(held)).toMatchObject(isCommitted);
    expect(started).toEqual([CHECK]);
  });
});

/** A command that an earlier session ran here, and how it ended. */
interface Ran {
  readonly session: { readonly id: string };
  readonly held: ClaimedStep;
  readonly tree: string;
  readonly after?: string;
  readonly checked?: string | null;
  readonly exitCode?: number;
  readonly outcome?: string;
  readonly position?: number;
}

async function ran(given: Ran): Promise<void> {
  const { session, held, tree, after = tree, checked = CHECK } = given;
  const { exitCode = 0, outcome = "finished", position = -1 } = given;
  const database = await ports.database();
  await database.write(async (sql) => {
    const at = { session_id: session.id, number: 1, now: sql.now };
    await sql.run(openCheckpoint, {
      ...at,
      plan_path: held.plan,
      anchor: held.anchor,
      claim: held.claim,
      iteration: 1,
      position,
      command: position < 0 ? "verify" : "implement",
      type: position < 0 ? "verify" : "implement_spec",
      agent: null,
      agent_session: null,
      spec_id: null,
      head_before: null,
      tree_before: tree,
      process: "{}",
      log: "",
      checked,
    });
    await sql.run(closeCheckpoint, {
      ...at,
      exit_code: exitCode,
      outcome,
      output_tail: "all good",
      files_modified: "[]",
      agent_session: null,
      snapshot_ref: null,
      spec_found: null,
      tree_after: after,
      resets_at: null,
    });
  });
}

/** A session that is over by now. */
async function endedSession(at: Worktree = worktree): Promise<{ readonly id: string }> {
  const session = await openSession(ports, { plan: PLAN, worktree: at });
  await session.end("completed");
  return session;
}

describe("a check that passed before its runner was killed", () => {
  it("is not run again for the same files", async () => {
    const held = await claimStep();
    await ran({ session: await endedSession(), held, tree: await work() });
    expect(await commit(held)).toMatchObject({
      ...isCommitted,
      verification: { evidence: [{}, { checked: CHECK, output: "all good" }] },
    });
    expect(started).toEqual([]);
  });

  it.each<[string, (tree: string) => Partial<Ran>]>([
    ["it began with other files", (tree) => ({ tree: "other", after: tree })],
    ["it changed the files", () => ({ after: "other" })],
    ["it was another check", () => ({ checked: "./check" })],
    ["it failed", () => ({ exitCode: 1 })],
    ["it was stopped", () => ({ outcome: "killed" })],
  ])("is run again where %s", async (_, differs) => {
    const held = await claimStep();
    const tree = await work();
    await ran({ session: await endedSession(), held, tree, ...differs(tree) });
    expect(await commit(held)).toMatchObject(isCommitted);
    expect(started).toEqual([CHECK]);
  });

  it("is run again where it ran in another worktree", async () => {
    const held = await claimStep();
    const other = ports.repository.worktree(repo.addWorktree("other"));
    await ran({ session: await endedSession(other), held, tree: await work() });
    expect(await commit(held)).toMatchObject(isCommitted);
    expect(started).toEqual([CHECK]);
  });

  it("is run again where the step was begun anew since", async () => {
    await ran({ session: await endedSession(), held: await claimStep(), tree: await work() });
    await reset(ports, { plan: PLAN, step: STEP });
    expect(await commit(await claimStep())).toMatchObject(isCommitted);
    expect(started).toEqual([CHECK]);
  });

  it("is run again where a verdict was reached with it", async () => {
    const held = await claimStep();
    const tree = await work();
    await ran({ session: await endedSession(), held, tree });
    await verdict(held, tree, { outcome: "failed" });
    expect(await commit(held)).toMatchObject(isCommitted);
    expect(started).toEqual([CHECK]);
  });
});

describe("a command that had finished", () => {
  const start = async (held: ClaimedStep) =>
    (
      await whereToStart(
        { ports, workflow: BUILT_IN_WORKFLOWS.implement, session: { worktree } } as unknown as Worker,
        held,
      )
    ).next.kind;

  it("is not run again under a claim that continues its work", async () => {
    const held = await claimStep();
    await ran({ session: await endedSession(), held, tree: await work(), position: 0 });
    expect(await start(held)).toBe("done");
  });

  it("is run again where the step was begun anew since", async () => {
    await ran({ session: await endedSession(), held: await claimStep(), tree: await work(), position: 0 });
    await reset(ports, { plan: PLAN, step: STEP });
    expect(await start(await claimStep())).toBe("run");
  });
});
