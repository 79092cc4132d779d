import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { lastJson, type Run, PAWL, pawl } from "./cli.ts";
import { testRepository, type TestRepository } from "./repository.ts";
import type { Acts } from "./run-shop.ts";
import { SCRIPTED_AGENT } from "./supervised.ts";
import { atTerminal, type Terminal } from "./terminal.ts";
import { query, type Row } from "./world.ts";

export type Task = Readonly<Record<string, unknown>>;

/** A repository with `.claude/tasks` in it that Pawl does not know of, and a scripted verifier and planner. */
export interface TaskShop {
  readonly repo: TestRepository;
  readonly path: (name: string) => string;
  readonly at: { readonly cwd: string; readonly env: Readonly<Record<string, string>> };
  readonly pawl: (...args: readonly string[]) => Run;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into every shape
  readonly json: (...args: readonly string[]) => any;
  readonly terminal: (...args: readonly string[]) => Terminal;
  readonly task: (id: string) => Task;
  readonly text: (id: string) => string;
  /** What the scripted agent does for each start. */
  readonly script: (...runs: readonly Acts[]) => void;
  /** How a start of the agent for a step was called; undefined when there was none. */
  readonly call: (step: string, number: number) => { argv: string[]; prompt: string } | undefined;
  readonly query: (sql: string) => Row[];
}

/** The verifier speaks like claude, so that its limits are on its command line. */
export const VERIFIED_BY_AGENT = `
[agents.judge]
preset = "claude"
program = ${JSON.stringify([process.execPath, SCRIPTED_AGENT])}

[verify]
agent = "judge"
`;

export function taskShop(tasks: readonly Task[], settings = VERIFIED_BY_AGENT): TaskShop {
  const repo = testRepository();
  onTestFinished(() => repo.remove());
  const file = (id: string) => join(repo.path, `.claude/tasks/task-${id}.json`);
  repo.write("pawl.toml", settings);
  repo.git("add", "-A");
  repo.git("commit", "-q", "-m", "settings");
  for (const task of tasks)
    repo.write(`.claude/tasks/task-${String(task["id"])}.json`, `${JSON.stringify(task, undefined, 2)}\n`);
  const path = (name: string) => join(repo.path, "..", name);
  const scriptFile = path("script.json");
  const script = (...runs: readonly Acts[]) =>
    writeFileSync(scriptFile, JSON.stringify({ speak: "claude", runs }));
  script([{ say: "Reviewed it.\nVerdict: pass" }]);
  const env = { SCRIPTED_AGENT: scriptFile, SCRIPTED_AGENT_PAWL: `${process.execPath}\n${PAWL}` };
  const at = { cwd: repo.path, env };
  return {
    repo,
    path,
    at,
    script,
    pawl: (...args) => pawl(at, ...args),
    json: (...args) => lastJson(pawl(at, ...args, "--json")),
    terminal: (...args) => atTerminal(at, ...args),
    text: (id) => readFileSync(file(id), "utf8"),
    task: (id) => JSON.parse(readFileSync(file(id), "utf8")) as Task,
    call(step, number) {
      const facts = path(`script.json.${step}.${number}.json`);
      return existsSync(facts)
        ? (JSON.parse(readFileSync(facts, "utf8")) as { argv: string[]; prompt: string })
        : undefined;
    },
    query: (sql) => query(join(repo.path, ".git/pawl/state.db"), sql),
  };
}
