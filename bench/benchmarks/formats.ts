import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { formatNamed } from "../../src/plans/formats/formats.ts";
import { readSource } from "../../src/plans/formats/plan-source.ts";
import { parseSource } from "../../src/plans/formats/read-plan.ts";
import { nodeFiles } from "../../src/platform/os/node-files.ts";
import type { TestRepository } from "../../test/support/repository.ts";
import { taskFile } from "../../test/support/task-file.ts";
import type { Benchmark, Line } from "../benchmark.ts";
import { byTurns, cpuMs, median } from "../samples.ts";
import { inRepository } from "../workbench.ts";
import { largePlan } from "./init.ts";

/** Reading plans: a folder of task files against the least that takes, and how fast each format is read. */
export const formats: Benchmark = {
  name: "formats",
  about: "reading plans: 1,000 task files against reading and JSON.parse, and the throughput of each format",
  run: async ({ quick }) => [
    ...(await inRepository((repository) => scan(repository, quick ? 20 : 1000, quick ? 2 : 41))),
    ...(await throughput(quick ? 20 : 2000, quick ? 1 : 15)),
  ],
};

const FOLDER = ".claude/tasks";

async function scan(repository: TestRepository, count: number, rounds: number): Promise<readonly Line[]> {
  for (let index = 1; index <= count; index += 1)
    repository.write(`${FOLDER}/task-${String(index).padStart(3, "0")}.json`, taskFile(index));
  const folder = join(repository.path, FOLDER);
  const samples = await byTurns(rounds, {
    "read and JSON.parse": () =>
      cpuMs(() =>
        readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as unknown),
      ),
    "full scan": () => cpuMs(() => parseSource(readSource(nodeFiles, folder), FOLDER)),
  });
  const base = median(samples["read and JSON.parse"]);
  return Object.entries(samples).map(([what, times]) => ({
    what: `${what}, ${count} task files`,
    figures: { "CPU ms": median(times), ratio: median(times) / base },
    ...(what === "full scan" ? { goal: { figures: ["ratio"], most: 2 } } : {}),
  }));
}

async function throughput(steps: number, rounds: number): Promise<readonly Line[]> {
  const numbers = Array.from({ length: steps }, (_, index) => index + 1);
  const texts: Readonly<Record<string, string>> = {
    tugplan: largePlan(steps),
    "implementation-plan": JSON.stringify(
      { feature: "Large", phases: [{ id: "p", subtasks: numbers.map(subtask) }] },
      null,
      2,
    ),
    checklist: `# Large\n\n${numbers.map((number) => `- [ ] T${number} change part ${number} of the system\n  - [ ] and say so\n`).join("")}`,
  };
  const samples = await byTurns(
    rounds,
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [name, () => cpuMs(() => formatNamed(name)!.read(text))]),
    ),
  );
  return Object.entries(texts).map(([name, text]) => ({
    what: `${name}, ${steps} steps, ${Math.round(text.length / 1024)} KB`,
    figures: { "CPU ms": median(samples[name]!), "MB/s": text.length / 1000 / median(samples[name]!) },
  }));
}

const subtask = (number: number) => ({
  id: `subtask-1-${number}`,
  description: `Change part ${number} of the system where it is needed`,
  status: number % 3 === 0 ? "completed" : "pending",
  files_to_modify: [`src/part-${number}.ts`],
  verification: { type: "command", command: "npm test" },
});
