import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { RULES, ruleOf } from "../../src/recovery/rules/index.ts";
import type { FindingView } from "../../src/recovery/index.ts";
import { SITUATIONS } from "../support/broken-situations.ts";
import { forPeople } from "../../src/cli/text/for-people.ts";
import { lastJson, PAWL, pawl } from "../support/cli.ts";
import { mcpClient } from "../support/mcp-client.ts";
import { findIn } from "../support/obeyed-world.ts";
import { cleanEnv } from "../support/repository.ts";
import { AGENT, type RunShop, runShop } from "../support/run-shop.ts";
import * as stuck from "../support/stuck-shops.ts";
import { atTerminal } from "../support/terminal.ts";
import { enter, listening } from "../support/ui-shop.ts";

/** What one interface says about one matter, in the parts that all of them have. */
type Said = Pick<FindingView, "rule" | "subject" | "found"> & { readonly answers: string };

interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
const json = (at: Place, ...args: readonly string[]): any => lastJson(pawl(at, ...args, "--json"));

// oxlint-disable-next-line typescript/no-explicit-any -- as each interface spells it
const said = ({ rule, subject, found, automatic, choices }: any): Said => ({
  rule,
  subject,
  found,
  answers: [
    ...(automatic ? [automatic.repair as string] : []),
    ...(choices as { key: string; repair: string }[]).map(({ key, repair }) => `${key} ${repair}`),
  ].join(", "),
});

/** A finding as it is worded for people, without what depends on the moment and on the width of the terminal. */
const wordsIn = (text: string): string =>
  forPeople(text, Date.now())
    .replaceAll(/\s+/g, "")
    .replaceAll(/\d+(?:s|min|h|days?)(?=ago)|\d+-\d+-\d+\d+:\d+(?::\d+)?|in\d+(?:s|min|h)/g, "")
    .replaceAll(/foranother[^;]*/g, "")
    .replaceAll(/ago|justnow/g, "");

const toldBy = (at: Place, ...args: readonly string[]): string => {
  const { stdout, stderr } = pawl(at, ...args);
  return wordsIn(stdout + stderr);
};

/** Rules of which the walk has seen a finding. */
const walked = new Set<string>();

const inOrder = (all: readonly Said[]): readonly Said[] =>
  all.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** The page's server, which records sessions that died as soon as it looks: then all the others say so, too. */
async function openPage({ cwd, env }: Place): Promise<(() => Promise<readonly Said[]>) | undefined> {
  const child = spawn(process.execPath, [PAWL, "ui", "--no-open", "--json"], {
    cwd,
    env: cleanEnv(env),
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
  });
  const server = await listening(child);
  if (server.link === undefined) return undefined;
  const page = await enter(server);
  await page.get("/api/overview");
  return async () => inOrder((await page.get("/api/findings")).body.data.findings.map(said));
}

interface Both {
  // oxlint-disable-next-line typescript/no-explicit-any -- an envelope
  readonly recovered: any;
  readonly all: readonly Said[];
  readonly page: readonly Said[];
}

/** What `recover` and the page say once nothing changes between the two. */
async function saidByBoth(at: Place): Promise<Both> {
  let look: Awaited<ReturnType<typeof openPage>> | undefined;
  for (let turn = 1; ; turn += 1) {
    const recovered = json(at, "recover", "--dry-run");
    const isRefused =
      recovered.status === "error" || json(at, "status").issues[0]?.code === UNUSABLE_SETTINGS;
    if (isRefused) return { recovered, all: [], page: [] };
    const all = inOrder(recovered.data.findings.map(said));
    look ??= await openPage(at);
    // It does not begin with settings that name an agent which is not there, and says so.
    if (look === undefined) return { recovered, all, page: all };
    const page = await look();
    if (turn === 5 || JSON.stringify(all) === JSON.stringify(page)) return { recovered, all, page };
  }
}

/** Neither the page nor `status` begins with settings that name an agent which is not there. */
const UNUSABLE_SETTINGS = "E091";

/** Agents get no keys and no commands of people's: what the matter is, and about what. Undefined where there is no work. */
async function saidByMcp({ cwd, env }: Place): Promise<readonly string[] | undefined> {
  const { client } = await mcpClient({ cwd, env });
  const answer = await client.callTool({ name: "pawl_recover_report", arguments: {} });
  await client.close();
  if (answer.isError) return undefined;
  const { found } = answer.structuredContent as { found: readonly { rule: string; subject: string }[] };
  return found
    .filter(({ rule }) => rule !== "doctor" && rule !== "late-result")
    .map(({ rule, subject }) => `${rule}:${subject}`)
    .toSorted();
}

/** Everything that every interface says; they must not differ in anything. */
async function expectOneAnswer(at: Place, isRuined = false): Promise<readonly FindingView[]> {
  const { recovered, all, page } = await saidByBoth(at);
  const status = json(at, "status");
  const mcp = await saidByMcp(at);
  if (status.issues[0]?.code === UNUSABLE_SETTINGS) {
    expect(json(at, "ui", "--no-open").issues[0].code).toBe(UNUSABLE_SETTINGS);
    return [];
  }
  if (recovered.status === "error") {
    if (status.status === "ok") expect(status.data.undiagnosed).toBe(recovered.issues[0].message);
    expect((mcp ?? []).filter((name) => !name.endsWith(":recover"))).toEqual([]);
    return [];
  }
  const findings: readonly FindingView[] = recovered.data.findings;
  expect({ by: "status", all: inOrder(status.data.findings.map(said)) }).toEqual({ by: "status", all });
  expect({ by: "the page", all: page }).toEqual({ by: "the page", all });
  // Where there is no worktree no agent can work, and the server says that.
  if (mcp !== undefined || !isRuined)
    expect({ by: "MCP", all: mcp }).toEqual({
      by: "MCP",
      all: findings.map(({ rule, subject }) => `${rule}:${subject}`).toSorted(),
    });
  for (const { rule } of findings) walked.add(rule);
  const texts = { status: toldBy(at, "status"), recover: toldBy(at, "recover", "--dry-run") };
  for (const { found } of findings)
    for (const [by, text] of Object.entries(texts))
      expect({ by, says: text.includes(wordsIn(found)) ? found : text }).toEqual({ by, says: found });
  const decisions = findings.filter(({ weight }) => weight === "decide").length;
  const primed = json(at, "prime").data;
  if (primed.plans.length > 0)
    expect({ by: "hooks", decisions: primed.decisions }).toEqual({ by: "hooks", decisions });
  for (const { plan_path: plan } of status.data.plans) {
    const explained = json(at, "explain", plan);
    if (explained.status === "error") continue;
    const told = explained.data.steps.flatMap((step: { findings: FindingView[] }) => step.findings);
    // oxlint-disable-next-line typescript/no-explicit-any -- snake_case
    const own = (findings as any[]).filter((one) => one.plan_path === plan && one.steps.length > 0);
    expect({ by: "explain", all: inOrder(told.map(said)) }).toEqual({
      by: "explain",
      all: inOrder(own.flatMap((one) => one.steps.map(() => said(one)))),
    });
    for (const step of explained.data.steps)
      for (const one of step.findings) {
        if (one.kind === "step") expect(step.because).toBe(one.found);
        const text = toldBy(at, "explain", plan, step.anchor);
        expect(text.includes(wordsIn(one.found)) ? one.found : text).toBe(one.found);
      }
  }
  return findings;
}

describe("what is broken is worded in one way by recover, status, explain, the page, MCP and hooks:", () => {
  it.each(Object.keys(SITUATIONS))("%s", async (name) => {
    const { folder, isRuined } = await findIn(SITUATIONS[name]!);
    await expectOneAnswer({ cwd: folder, env: {} }, isRuined);
  });
});

const SHOPS: Readonly<Record<string, () => RunShop | Promise<RunShop>>> = {
  "a run was interrupted": stuck.interrupted,
  "the worktree of an interrupted run is gone": stuck.withoutWorktree,
  "a plan was edited": stuck.edited,
  "a worktree is gone": stuck.worktreeGone,
  "content of a completed step is lost": stuck.contentLost,
  "a step ran out of attempts": stuck.escalated,
  "a run waits for a limit": stuck.paused,
  "a step conflicts": () => stuck.stopped("blocked"),
  "a step waits for the remote": () => stuck.stopped("blocked", "waiting_to_land"),
  "a step is on hold": () => stuck.stopped("held"),
  "a step is claimed": stuck.claimed,
  "a step is completed": stuck.completed,
  "an owner is gone": stuck.ownerGone,
  "a file is behind": stuck.fileBehind,
  "files of an interrupted run are spoilt": stuck.spoilt,
  "a plan is built": stuck.built,
  "a step is committed and not completed": stuck.committed,
  "a task awaits verification": () => stuck.taskShop(stuck.AWAITING),
  "a verification timed out": () => stuck.taskShop(stuck.TIMED_OUT),
  "an agent timed out": () => stuck.taskShop(stuck.AGENT_TIMEOUT),
  "a task was left in progress": () => stuck.taskShop(stuck.STALE),
  "verification attempts are used up": () => stuck.taskShop({ ...stuck.TIMED_OUT, verification_attempts: 3 }),
  "a completed step was edited": () => stuck.stepEdited("completed"),
  "a completed step was removed": () => stuck.stepEdited("completed", true),
  "a run left the edit of a completed step": stuck.editedAndRun,
  "a step was edited after its work had begun": () => stuck.stepEdited("begun"),
  "a step is edited while it is held": () => stuck.stepEdited("held"),
  "the full check fails on what has landed": stuck.fullCheckFails,
  "a runner is stopped": stuck.stoppedRunner,
  "another tool left a subtask in progress": stuck.abandonedInFile,
  "the branch of a plan was moved back": () => stuck.offBranch(false),
  "the branch of a plan has another commit in place of a step": () => stuck.offBranch(true),
  "an object of git's is empty": stuck.objectEmptied,
  "git's files of a worktree are empty": stuck.worktreeEmptied,
};

describe("a run that was left is worded in one way, and a run at a terminal asks the same:", () => {
  it.each(Object.keys(SHOPS))("%s", async (name) => {
    const shop = await SHOPS[name]!();
    const at = { cwd: shop.repo.path, env: shop.env };
    const findings = await expectOneAnswer(at);
    const asked = findings.find(
      ({ rule, choices }) => choices.length > 0 && ruleOf(rule).beforeRun === "asks",
    );
    if (asked === undefined) return;
    // oxlint-disable-next-line typescript/no-explicit-any -- snake_case
    const terminal = atTerminal(at, "run", (asked as any).plan_path, ...AGENT);
    const squeezed = (text: string) => text.replaceAll(/\s+/g, "");
    for (const { key } of asked.choices) await terminal.sees(`[${key}]`);
    expect(squeezed(terminal.shown())).toContain(squeezed(asked.found));
  });
});

it("the walk has seen a finding of every rule", () => {
  expect(Object.keys(RULES).filter((rule) => !walked.has(rule))).toEqual([]);
});

it("a step whose commit is there is completed, and nothing offers to do it again", async () => {
  const shop = await stuck.committed();
  const [step] = shop.json("explain", "plan.md", "step-1").data.steps;
  expect(step.because).toBe('step-1 "Work 1" is committed, but not completed.');
  expect(step.options).toEqual(["pawl recover plan.md"]);
  expect((await shop.run()).code).toBe(0);
  expect(shop.steps()).toEqual(["step-1 completed"]);
  expect(shop.starts("step-1")).toBe(1);
});

it("a run that died right after the commit leaves a step that is completed from it, and explain says so first", async () => {
  const shop = runShop([{ number: "1", tasks: ["dig"] }]);
  const hook = join(shop.repo.path, ".git/hooks/post-commit");
  mkdirSync(dirname(hook), { recursive: true });
  writeFileSync(hook, "#!/bin/sh\nkill -9 $(ps -o ppid= -p $PPID)\n", { mode: 0o755 });
  expect(await shop.start("run", "plan.md", ...AGENT).ended).toMatchObject({ signal: "SIGKILL" });
  rmSync(hook);
  const [step] = shop.json("explain", "plan.md", "step-1").data.steps;
  expect(step.because).toContain("is committed, but not completed.");
  expect(step.next).toMatch(/^The next run, or pawl recover, does this: complete it from its commit,/);
  expect(await shop.run()).toMatchObject({ code: 0 });
  expect([shop.steps(), shop.starts("step-1")]).toEqual([["step-1 completed"], 1]);
});
