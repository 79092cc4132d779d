import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { lastJson, PAWL, pawl, type Run } from "./cli.ts";
import { cleanEnv, testRepository, type TestRepository } from "./repository.ts";
import { type Acts, AGENT, GOOD, type Script, type Started } from "./run-shop.ts";
import { lives } from "./supervised.ts";
import { until } from "./until.ts";
import { atTerminal } from "./terminal.ts";
import { query, type Row } from "./world.ts";

export const SPEC = ".auto-claude/specs/001-shed";
export const PLAN_FILE = `${SPEC}/implementation_plan.json`;

export type Statuses = readonly string[];

/** A plan of one phase, a subtask for each status. */
export const planJson = (statuses: Statuses, more: Readonly<Record<string, unknown>> = {}): string =>
  `${JSON.stringify(
    {
      feature: "A shed",
      workflow_type: "feature",
      phases: [
        {
          id: "phase-1",
          name: "Build",
          subtasks: statuses.map((status, index) => ({
            id: `subtask-1-${index + 1}`,
            description: `Part ${index + 1}`,
            status,
          })),
        },
      ],
      ...more,
    },
    null,
    2,
  )}\n`;

/** A repository with a spec folder in it, and a scripted agent to plan and to build. Gone when the test is over. */
export interface SpecShop {
  readonly repo: TestRepository;
  readonly path: (name: string) => string;
  readonly script: (script: Script) => void;
  /** `pawl run SPEC … -- the agent`, to its end. */
  readonly run: (...options: readonly string[]) => Run;
  /** The same on a terminal on which a person types these keys, one after each time something is asked. */
  readonly runOnTerminal: (keys: string, ...options: readonly string[]) => Promise<Run>;
  /** Starts and leaves it running; ended with the test. */
  readonly start: (...args: readonly string[]) => Started;
  readonly pawl: (...args: readonly string[]) => Run;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into every shape
  readonly json: (...args: readonly string[]) => any;
  readonly planText: () => string;
  /** `id status` of every subtask in the file. */
  readonly inFile: () => readonly string[];
  readonly query: (sql: string) => Row[];
  /** How often the agent was started for a step; `run` is without one. */
  readonly starts: (step: string) => number;
  readonly prompt: (step: string, number: number) => string;
  /** Adds a worktree as another tool would, with a commit in it. */
  readonly foreignWorktree: (place: string, branch?: string) => string;
}

/** What a planner does: it writes the plan into the spec folder of its worktree. */
export const plans = (text: string): Acts => [{ write: PLAN_FILE, text }];

export function specShop(plan: string | undefined, committed = true): SpecShop {
  const repo = testRepository();
  const started: ChildProcess[] = [];
  repo.write(`${SPEC}/spec.md`, "# A shed\n\nBuild it.\n");
  if (plan !== undefined) repo.write(PLAN_FILE, plan);
  if (committed) {
    repo.git("add", "-A");
    repo.git("commit", "-q", "-m", "the spec");
  } else repo.write(".git/info/exclude", ".auto-claude\n");
  const path = (name: string) => join(repo.path, "..", name);
  const scriptFile = path("script.json");
  const env = { SCRIPTED_AGENT: scriptFile, SCRIPTED_AGENT_PAWL: `${process.execPath}\n${PAWL}` };
  const at = { cwd: repo.path, env };
  const script = (given: Script) =>
    writeFileSync(scriptFile, JSON.stringify({ speak: "plain", runs: [GOOD], ...given }));
  script({});
  const facts = (name: string) =>
    JSON.parse(readFileSync(path(name), "utf8")) as { pid: number; prompt: string };
  const shop: SpecShop = {
    repo,
    path,
    script,
    run: (...options) => pawl(at, "run", SPEC, ...options, ...AGENT),
    runOnTerminal: (keys, ...options) =>
      onTerminal(repo.path, env, keys, ["run", SPEC, ...options, ...AGENT]),
    pawl: (...args) => pawl(at, ...args),
    start(...args) {
      const child = spawn(process.execPath, [PAWL, ...args], {
        cwd: repo.path,
        env: cleanEnv(env),
        stdio: "ignore",
      });
      started.push(child);
      const ended = new Promise<Run>((resolve) => {
        child.on("close", (code, signal) => resolve({ code, signal, stdout: "", stderr: "" }));
      });
      return { child, ended };
    },
    json: (...args) => lastJson(pawl(at, ...args, "--json")),
    planText: () => readFileSync(join(repo.path, PLAN_FILE), "utf8"),
    inFile() {
      const { phases } = JSON.parse(shop.planText()) as {
        phases: { subtasks: { id: string; status: string }[] }[];
      };
      return phases.flatMap(({ subtasks }) => subtasks.map(({ id, status }) => `${id} ${status}`));
    },
    query: (sql) => query(join(repo.path, ".git/pawl/state.db"), sql),
    starts: (step) => readdirSync(path(".")).filter((name) => name.startsWith(`script.json.${step}.`)).length,
    prompt: (step, number) => facts(`script.json.${step}.${number}.json`).prompt,
    foreignWorktree(place, branch = "auto-claude/001-shed") {
      const folder = join(repo.path, place);
      mkdirSync(dirname(folder), { recursive: true });
      repo.git("worktree", "add", "-q", "-b", branch, folder);
      writeFileSync(join(folder, "built.txt"), "by another tool\n");
      repo.git("-C", folder, "add", "-A");
      repo.git("-C", folder, "commit", "-q", "-m", "auto-claude: subtask-1-1");
      return folder;
    },
  };
  onTestFinished(() => {
    for (const child of started)
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    const starts = existsSync(path("."))
      ? readdirSync(path(".")).filter((name) => /^script\.json\..+\.json$/.test(name))
      : [];
    for (const name of starts) {
      const { pid } = facts(name);
      if (lives(pid)) process.kill(pid, "SIGKILL");
    }
    repo.remove();
  });
  return shop;
}

/** Presses a key each time something is asked. */
async function onTerminal(
  cwd: string,
  env: Readonly<Record<string, string>>,
  keys: string,
  args: readonly string[],
): Promise<Run> {
  const terminal = atTerminal({ cwd, env }, ...args);
  for (const [asked, key] of [...keys].entries()) {
    await until(() => terminal.shown().split("[C]/[R]/[M]/[F] ").length - 1 > asked);
    terminal.press(key);
  }
  const code = await terminal.ended;
  return { code, signal: null, stdout: terminal.shown(), stderr: "" };
}
