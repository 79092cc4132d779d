import { fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Benchmark, isMet, type Line, type Settings } from "./benchmark.ts";
import { BENCHMARKS } from "./benchmarks/index.ts";
import { machineFacts } from "./machine-facts.ts";
import { tableOf } from "./report.ts";

const options = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] },
    quick: { type: "boolean", default: false },
    json: { type: "string" },
    seed: { type: "string", default: "1" },
    /** How the suite calls itself: runs one benchmark and hands its lines to the parent. */
    child: { type: "boolean", default: false },
  },
}).values;
const settings: Settings = { quick: options.quick, seed: Number(options.seed) };

if (options.child) await runAsChild();
else await runSuite();

async function runSuite(): Promise<void> {
  const unknown = options.only.filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));
  if (unknown.length > 0) {
    const known = BENCHMARKS.map((benchmark) => benchmark.name).join(", ");
    console.error(`There is no benchmark ${unknown.join(", ")}; there are: ${known}.`);
    process.exit(2);
  }
  const chosen = BENCHMARKS.filter(({ name, isAsked = false }) =>
    options.only.length === 0 ? !isAsked : options.only.includes(name),
  );
  const facts = { ...machineFacts(), ...settings };
  for (const [name, value] of Object.entries(facts)) console.log(`${name.padEnd(12)} ${value}`);
  const results: Record<string, readonly (Line & { met: boolean | null })[]> = {};
  for (const benchmark of chosen) {
    const lines = await runApart(benchmark);
    if (lines === undefined) {
      console.error(`\nThe benchmark ${benchmark.name} broke.`);
      process.exitCode = 1;
      continue;
    }
    console.log(`\n${tableOf(benchmark, lines)}`);
    results[benchmark.name] = lines.map((line) => ({ ...line, met: isMet(line) ?? null }));
  }
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ facts, results }, null, 2)}\n`);
}

/** In a process of its own: what one benchmark leaves in the heap or the compiler must not show in the next. */
function runApart({ name }: Benchmark): Promise<readonly Line[] | undefined> {
  const args = ["--child", "--only", name, "--seed", String(settings.seed)];
  const child = fork(fileURLToPath(import.meta.url), settings.quick ? [...args, "--quick"] : args);
  return new Promise((resolve, reject) => {
    let lines: readonly Line[] | undefined;
    child.on("message", (message) => {
      lines = message as readonly Line[];
    });
    child.once("error", reject);
    // Not its exit, which may arrive before its last message.
    child.once("disconnect", () => resolve(lines));
  });
}

async function runAsChild(): Promise<void> {
  const benchmark = BENCHMARKS.find(({ name }) => name === options.only[0]);
  const lines = await benchmark?.run(settings);
  process.send?.(lines, () => process.disconnect());
}
