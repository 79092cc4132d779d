import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compose } from "../../src/compose.ts";
import { observe } from "../../src/recovery/observe/observe.ts";
import { chooseScanExtent, withSentinel } from "../../src/runs/prepare/sentinel.ts";
import { recoverBeforeRun } from "../../src/recovery/recover-before-run.ts";
import { save } from "../../src/plans/save.ts";
import type { Ports } from "../../src/platform/ports/ports.ts";
import { flatPlan } from "../../test/support/plans.ts";
import type { TestRepository } from "../../test/support/repository.ts";
import type { Benchmark, Line } from "../benchmark.ts";
import { cpuMs, median } from "../samples.ts";
import { env, inRepository } from "../workbench.ts";

/** What recovery costs a run that follows a clean end, and what a full look costs beside reading the files at all. */
export const recover: Benchmark = {
  name: "recover",
  about: "Step 0 of a run after a clean end; a full look at 1,000 task files",
  run: async ({ quick }) => [
    ...(await inRepository((repository) => afterCleanEnd(repository, quick ? 3 : 50))),
    ...(await inRepository((repository) => fullLook(repository, quick ? 50 : 1000, quick ? 2 : 15))),
  ],
};

async function afterCleanEnd(repository: TestRepository, rounds: number): Promise<readonly Line[]> {
  repository.write("plan.md", flatPlan(100));
  const ports: Ports = await compose({ cwd: repository.path, env });
  await save(ports, { plan: "plan.md" });
  const once = async () => {
    const way = await chooseScanExtent(ports, "plan.md");
    return withSentinel(ports, "plan.md", () => recoverBeforeRun(ports, way, { plan: "plan.md" }));
  };
  await once();
  const samples: number[] = [];
  for (let round = 0; round < rounds; round += 1) samples.push(await cpuMs(once));
  await (await ports.database()).close();
  const figures = { "cpu ms": median(samples) };
  return [{ what: "Step 0 with a clean sentinel", figures, goal: { figures: ["cpu ms"], most: 15 } }];
}

async function fullLook(repository: TestRepository, count: number, rounds: number): Promise<readonly Line[]> {
  const folder = join(repository.path, ".claude/tasks");
  for (let id = 1; id <= count; id += 1) repository.write(`.claude/tasks/task-${id}.json`, taskText(id));
  const ports: Ports = await compose({ cwd: repository.path, env });
  await save(ports, { plan: ".claude/tasks" });
  const bare = () => {
    for (const name of readdirSync(folder))
      if (name.startsWith("task-")) JSON.parse(readFileSync(join(folder, name), "utf8"));
  };
  const look = () => observe(ports, { plan: ".claude/tasks", withoutWorktrees: true });
  await look();
  const own: number[] = [];
  const least: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    least.push(await cpuMs(bare));
    own.push(await cpuMs(look));
  }
  await (await ports.database()).close();
  const [ms, bareMs] = [median(own), median(least)];
  const figures = { "cpu ms": ms, "JSON.parse cpu ms": bareMs, times: ms / bareMs };
  return [{ what: `full look at ${count} task files`, figures, goal: { figures: ["times"], most: 2 } }];
}

const taskText = (id: number): string =>
  JSON.stringify(
    {
      id: String(id),
      title: `Task ${id}`,
      status: id % 3 === 0 ? "Finished" : "Pending",
      description: "Words that say what is to be done. ".repeat(20),
      dependencies: id > 1 ? [String(id - 1)] : [],
      files_affected: ["src/a.ts", "src/b.ts"],
      notes: "",
      updated_date: "2026-01-28",
    },
    undefined,
    2,
  );
