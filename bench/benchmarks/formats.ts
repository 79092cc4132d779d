import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readSource } from "../../src/plans/formats/plan-source.ts";
import { parsePlan, parseSource } from "../../src/plans/formats/read-plan.ts";
import { nodeFiles } from "../../src/platform/os/node-files.ts";
import { realisticPlan } from "../../test/support/realistic-plans.ts";
import type { TestRepository } from "../../test/support/repository.ts";
import { taskFile } from "../../test/support/task-file.ts";
import type { Benchmark, Line } from "../benchmark.ts";
import { byTurns, cpuMs, median } from "../samples.ts";
import { bareNode, inRepository, pawl } from "../workbench.ts";
import { largePlan } from "./init.ts";

/** Reading plans: a folder of task files against the least that takes, and how fast each format is read. */
export const formats: Benchmark = {
  name: "formats",
  about: "reading plans: 1,000 task files against JSON.parse, plan check, and the throughput of each format",
  run: async ({ quick, seed }) => [
    ...(await inRepository((repository) => scan(repository, quick ? 20 : 1000, quick ? 2 : 41))),
    ...(await inRepository((repository) => check(repository, seed, quick ? 2 : 41))),
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

/** A plan of 100 KB, as a command in a process of its own. */
async function check(repository: TestRepository, seed: number, rounds: number): Promise<readonly Line[]> {
  const { path } = repository;
  const parts = [1, 2, 3].map((part) => realisticPlan("superpowers", seed + part).files[0]!.text);
  const text = parts.join("\n").slice(0, 100 * 1024);
  repository.write("plan.md", text);
  const samples = await byTurns(rounds, {
    "node -e 0": () => bareNode(path),
    "plan check of 100 KB": () => pawl(path, "plan", "check", "plan.md", "--json"),
  });
  const base = median(samples["node -e 0"]);
  return Object.entries(samples).map(([what, times]) => ({
    what,
    figures: { "p50 ms": median(times), ratio: median(times) / base },
    ...(what.startsWith("plan") ? { goal: { figures: ["ratio"], most: 2 } } : {}),
  }));
}

/** What each kind of file must reach, in MB/s. */
const LEAST = { md: 1, json: 10 } as const;

async function throughput(steps: number, rounds: number): Promise<readonly Line[]> {
  const numbers = Array.from({ length: steps }, (_, index) => index + 1);
  const texts: Readonly<Record<string, string>> = {
    tugplan: largePlan(steps),
    "implementation-plan": JSON.stringify(
      { feature: "Large", phases: [{ id: "p", subtasks: numbers.map(subtask) }] },
      null,
      2,
    ),
    "task-master": JSON.stringify(
      { master: { tasks: numbers.map((number) => ({ ...subtask(number), id: number, title: "a" })) } },
      null,
      2,
    ),
    ralph: JSON.stringify({ project: "Large", userStories: numbers.map(story) }, null, 2),
    "feature-list": JSON.stringify(numbers.map(story), null, 2),
    beads: numbers.map((number) => `${JSON.stringify(issue(number))}\n`).join(""),
    headed: `# Large\n\n${numbers.map((number) => `### Task ${number}: Change part ${number}\n\n**Files:** \`src/part-${number}.ts\`\n\n- [ ] change it where it is needed\n- [ ] say so\n\n`).join("")}`,
    "checklist, bare": `# Large\n\n${Array.from({ length: steps * 10 }, (_, index) => `- [ ] do thing ${index}\n`).join("")}`,
    checklist: `# Large\n\n${numbers.map((number) => `- [ ] T${number} change part ${number} of the system\n  - [ ] and say so\n`).join("")}`,
  };
  const samples = await byTurns(
    rounds,
    Object.fromEntries(
      // As a file is read: its format is found first.
      Object.entries(texts).map(([name, text]) => {
        const bytes = Buffer.from(text);
        return [name, () => cpuMs(() => parsePlan(bytes, "plan"))];
      }),
    ),
  );
  return Object.entries(texts).map(([name, text]) => ({
    what: `${name}, ${name.endsWith("bare") ? steps * 10 : steps} steps, ${Math.round(text.length / 1024)} KB`,
    figures: { "CPU ms": median(samples[name]!), "MB/s": text.length / 1000 / median(samples[name]!) },
    goal: { figures: ["MB/s"], least: LEAST[/^[[{]/.test(text) ? "json" : "md"] },
  }));
}

const subtask = (number: number) => ({
  id: `subtask-1-${number}`,
  description: `Change part ${number} of the system where it is needed`,
  status: number % 3 === 0 ? "completed" : "pending",
  files_to_modify: [`src/part-${number}.ts`],
  verification: { type: "command", command: "npm test" },
});

const story = (number: number) => ({
  id: `US-${number}`,
  title: `Change part ${number} of the system`,
  description: `As a person I want part ${number} of the system changed where it is needed`,
  acceptanceCriteria: [`Part ${number} is changed`, "The types are checked"],
  priority: number,
  passes: number % 3 === 0,
  notes: "",
});

const issue = (number: number) => ({
  id: `large-${number}`,
  title: `Change part ${number} of the system`,
  description: `Change part ${number} of the system where it is needed, and say so`,
  status: number % 3 === 0 ? "closed" : "open",
  priority: 2,
  issue_type: "task",
  created_at: "2026-01-01T10:00:00Z",
  dependencies: number === 1 ? [] : [{ depends_on_id: `large-${number - 1}`, type: "blocks" }],
});
