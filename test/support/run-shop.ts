import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { lastJson, type Run, PAWL, pawl, pawlAsync } from "./cli.ts";
import { type StepSpec, planText } from "./plans.ts";
import { cleanEnv, testRepository, type TestRepository } from "./repository.ts";
import { lives, SCRIPTED_AGENT } from "./supervised.ts";
import { until } from "./until.ts";
import { query, type Row } from "./world.ts";

export type Acts = readonly Readonly<Record<string, unknown>>[];

/** What the scripted agent does: by step, or by how often it was started. */
export interface Script {
  readonly steps?: Readonly<Record<string, readonly Acts[]>>;
  readonly runs?: readonly Acts[];
  /** Whose output its own is like; plain unless said otherwise. */
  readonly speak?: string;
}

/** A repository with a committed plan in it, and a scripted agent to run it with. Gone when the test is over. */
export interface RunShop {
  readonly repo: TestRepository;
  readonly path: (name: string) => string;
  readonly env: Readonly<Record<string, string>>;
  readonly script: (script: Script) => void;
  /** `pawl run plan.md … -- the agent`, to its end. */
  readonly run: (...options: readonly string[]) => Promise<Run>;
  readonly pawl: (...args: readonly string[]) => Run;
  /** `pawl …` with `--json`: its last line. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into every shape
  readonly json: (...args: readonly string[]) => any;
  /** Starts and leaves it running; ended with the test. */
  readonly start: (...args: readonly string[]) => Started;
  /** The same in a process group of its own, as a terminal's foreground job: a signal to it reaches all of the group. */
  readonly startJob: (...args: readonly string[]) => Started;
  readonly query: (sql: string) => Row[];
  /** How often the agent was started for a step. */
  readonly starts: (step: string) => number;
  readonly worktree: (number?: number) => string;
  /** `anchor status` of every step. */
  readonly steps: () => readonly string[];
  /** Anchors in the trailers of the plan's branch, oldest first. */
  readonly commits: () => readonly string[];
  readonly pids: () => readonly number[];
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Run>;
}

export const AGENT = ["--", process.execPath, SCRIPTED_AGENT] as const;

/** What a good agent does. */
export const GOOD: Acts = [{ write: "work/{step}.txt" }, { tick: "all" }];

export const THREE: readonly StepSpec[] = [
  { number: "1", tasks: ["dig"] },
  { number: "2", tasks: ["build"], dependsOn: ["step-1"] },
  { number: "3", tasks: ["paint"], dependsOn: ["step-2"] },
];

export function runShop(
  steps: readonly StepSpec[] = THREE,
  settings?: string,
  more: Readonly<Record<string, string>> = {},
  repo: TestRepository = testRepository(),
): RunShop {
  const started: ChildProcess[] = [];
  repo.write("plan.md", planText(steps));
  if (settings !== undefined) repo.write("pawl.toml", settings);
  repo.git("add", "-A");
  repo.git("commit", "-q", "-m", "the plan");
  const path = (name: string) => join(repo.path, "..", name);
  const scriptFile = path("script.json");
  const env = { SCRIPTED_AGENT: scriptFile, SCRIPTED_AGENT_PAWL: `${process.execPath}\n${PAWL}`, ...more };
  const at = { cwd: repo.path, env };
  const database = join(repo.path, ".git/pawl/state.db");
  const script = (given: Script) =>
    writeFileSync(scriptFile, JSON.stringify({ speak: "plain", runs: [GOOD], ...given }));
  script({});
  const facts = () =>
    readdirSync(path("."))
      .filter((name) => /^script\.json\..+\.json$/.test(name))
      .map(
        (name) =>
          JSON.parse(readFileSync(path(name), "utf8")) as { pid: number; env: Record<string, string> },
      );
  const begin = (args: readonly string[], detached: boolean): Started => {
    const child = spawn(process.execPath, [PAWL, ...args], {
      cwd: repo.path,
      env: cleanEnv(env),
      stdio: ["ignore", "pipe", "pipe"],
      detached,
    });
    started.push(child);
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    const ended = new Promise<Run>((resolve) => {
      child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
    });
    return { child, ended };
  };
  const shop: RunShop = {
    repo,
    path,
    env,
    script,
    run: (...options) => pawlAsync(at, "run", "plan.md", ...options, ...AGENT),
    pawl: (...args) => pawl(at, ...args),
    json: (...args) => lastJson(pawl(at, ...args, "--json")),
    start: (...args) => begin(args, false),
    startJob: (...args) => begin(args, true),
    query: (sql) => query(database, sql),
    starts: (step) => readdirSync(path(".")).filter((name) => name.startsWith(`script.json.${step}.`)).length,
    worktree: (number = 1) => join(repo.path, `.pawl/worktrees/plan-w${number}`),
    steps: () =>
      query(database, "select anchor, status from steps order by step_index").map(
        ({ anchor, status }) => `${String(anchor)} ${String(status)}`,
      ),
    commits: () =>
      repo
        .git(
          "log",
          "--reverse",
          "--format=%(trailers:key=Pawl-Step,valueonly,separator=%x2C)",
          "main..pawl/plan",
        )
        .split("\n")
        .filter((line) => line !== ""),
    pids: () => facts().map(({ pid }) => pid),
  };
  onTestFinished(async () => {
    for (const child of started)
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    for (const pid of existsSync(path(".")) ? shop.pids() : []) if (lives(pid)) process.kill(pid, "SIGKILL");
    repo.remove();
  });
  return shop;
}

/** A file is there before its first byte is. */
export const untilWritten = (file: string): Promise<void> =>
  until(() => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0);

export const untilThere = (file: string): Promise<void> => until(() => existsSync(file));
