import { startHeartbeat } from "../../../src/platform/os/heartbeat/start-heartbeat.ts";
import { processTable } from "../../../src/platform/os/process-table.ts";
import { supervisor } from "../../../src/platform/os/supervise/supervise.ts";
import { systemClock } from "../../../src/platform/os/system-clock.ts";
import { machineIdentity } from "../../../src/platform/os/machine-identity.ts";
import { agentOutput } from "../../../src/agents/agent-output.ts";
import { claude } from "../../../src/agents/presets/claude.ts";
import { programInput } from "../../support/program-input.ts";

/**
 * A runner whose main thread does nothing but block, as it would in a long computation: it starts an agent and a heart,
 * says so, blocks, and tells what it finds before its event loop has turned once.
 */

interface Input {
  readonly agent: readonly string[];
  readonly script: string;
  readonly folder: string;
  readonly session: string;
  readonly blockMs: number;
  readonly heart?: { readonly threadFile: string; readonly leaseMs: number; readonly data: unknown };
}

const input = programInput() as unknown as Input;
const say = (words: object) => process.stdout.write(`${JSON.stringify(words)}\n`);

const running = await supervisor({
  clock: systemClock,
  machine: machineIdentity({}, false),
  table: processTable,
}).start({
  argv: input.agent,
  promptBy: "stdin",
  prompt: "work",
  cwd: input.folder,
  env: { PATH: process.env["PATH"] ?? "", SCRIPTED_AGENT: input.script },
  session: input.session,
  logFolder: `${input.folder}/logs`,
  logName: "busy",
  graceMs: 500,
  reader: agentOutput(claude, () => ({ nowMs: Date.now(), timeZone: "UTC" })),
  leaseLost: () => heart?.isLost() ?? false,
});
const heart = input.heart && startHeartbeat({ ...input.heart, graceMs: 500 });
heart?.watch(running.record);
while (!running.lastLines().includes("ready")) await new Promise((resolve) => setTimeout(resolve, 10));
say({ record: running.record });

Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, input.blockMs);
const entry = processTable.entry(running.record.pid);
say({
  agentLived: entry !== undefined && !entry.zombie,
  isLost: heart?.isLost(),
});
if (heart?.isLost()) {
  const { stopped, verdict } = await running.ended;
  say({ lost: await heart.lost, stopped, verdict });
} else {
  await heart?.stop();
  await running.stop("asked");
  say({ verdict: (await running.ended).verdict });
}
