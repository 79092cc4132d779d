import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AGENTS } from "../../src/agents/presets/index.ts";
import type { PresetName } from "../../src/agents/agent-preset.ts";
import { type AgentRun, runAgent } from "../../src/agents/run-agent.ts";
import { processTable } from "../../src/platform/os/process-table.ts";
import { agentEnvironment } from "../../src/platform/os/supervise/agent-environment.ts";
import { supervisor } from "../../src/platform/os/supervise/supervise.ts";
import { systemClock } from "../../src/platform/os/system-clock.ts";
import { machineIdentity } from "../../src/platform/os/machine-identity.ts";
import type { RunningCommand, Supervisor } from "../../src/platform/ports/supervisor.ts";
import { cleanEnv } from "./repository.ts";

export const SCRIPTED_AGENT = fileURLToPath(new URL("./scripted-agent/scripted-agent.mjs", import.meta.url));

export type Acts = readonly Readonly<Record<string, unknown>>[];

export interface Workplace {
  readonly folder: string;
  readonly session: string;
  readonly supervisor: Supervisor;
  readonly path: (name: string) => string;
  readonly read: (name: string) => string;
  /** Starts the scripted agent in the guise of another. */
  readonly start: (speak: PresetName, acts: Acts, options?: Partial<AgentRun>) => Promise<RunningCommand>;
  /** Ends what is left and removes the folder. */
  readonly remove: () => Promise<void>;
}

/** A folder in which a scripted agent can be supervised. */
export function workplace(): Workplace {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pawl-supervised-")));
  const session = `s-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const own = supervisor({ clock: systemClock, machine: machineIdentity({}, false), table: processTable });
  const running: RunningCommand[] = [];
  const path = (name: string) => join(folder, name);
  let count = 0;
  return {
    folder,
    session,
    supervisor: own,
    path,
    read: (name) => readFileSync(path(name), "utf8"),
    async start(name, acts, options = {}) {
      count += 1;
      const script = path(`script-${count}.json`);
      writeFileSync(script, JSON.stringify({ speak: name === "command" ? "plain" : name, runs: [acts] }));
      const env = agentEnvironment(cleanEnv(), { session, worktree: folder, plan: "p.md", claim: 7 });
      const command = await runAgent(own, systemClock, {
        choice: { preset: AGENTS[name], program: [process.execPath, SCRIPTED_AGENT], args: [] },
        mode: "start",
        blanks: {},
        profile: "full",
        grant: { commands: [], writable: [], kept: [], isRoot: process.geteuid?.() === 0, ticks: false },
        read: () => undefined,
        cwd: folder,
        session,
        prompt: "Do it.",
        logFolder: path("logs"),
        logName: `command-${count}`,
        graceMs: 2000,
        ...options,
        env: { ...env, SCRIPTED_AGENT: script, ...options.env },
      });
      running.push(command);
      return command;
    },
    async remove() {
      for (const { record } of running) await own.stopLeftOver(record, { graceMs: 0 });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whether a process is there and not merely waiting to be noticed as dead. */
export function lives(pid: number): boolean {
  const entry = processTable.entry(pid);
  return entry !== undefined && !entry.zombie;
}
