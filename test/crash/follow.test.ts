import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compose } from "../../src/compose.ts";
import { pawlOn } from "../../src/api.ts";
import { type ChildPrograms, childPrograms } from "../support/child-program.ts";
import { cleanEnv, testRepository, type TestRepository } from "../support/repository.ts";
import type { VerbOutput } from "./programs/verb.ts";

/**
 * Kills the completion of a step at every effect it has, on plans whose files follow.
 *
 * Whatever the moment, every file is what it was before or what it should be, never in between; and the next look
 * brings all of them to where an undisturbed call would have.
 */

const FORMATS = [
  {
    name: "a spec folder",
    plan: "specs/hats",
    step: "a",
    files: {
      "specs/hats/implementation_plan.json":
        '{\n  "phases": [{ "id": 1, "subtasks": [{ "id": "a", "status": "pending" }, { "id": "b" }] }]\n}\n',
    },
  },
  {
    name: "task files",
    plan: ".claude/tasks",
    step: "task-1",
    files: {
      ".claude/tasks/task-1.json": '{"id": "1", "status": "Pending"}',
      ".claude/tasks/task-2.json": "{ torn",
    },
  },
  {
    name: "a list of boxes",
    plan: "tasks.md",
    step: "T001",
    files: { "tasks.md": "- [ ] T001 a\n- [ ] T002 b\n" },
  },
] as const;

let programs: ChildPrograms<"verb">;

beforeAll(async () => {
  programs = await childPrograms("verb");
});

afterAll(() => programs.remove());

/** The files people see, by name; what a killed writer left unfinished is not one of them. */
function filesOf(folder: string, below = ""): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const name = join(below, entry.name);
    if (entry.name === ".git" || /^\..+\.\d+\.[0-9a-z]+\.tmp$/.test(entry.name)) continue;
    if (entry.isDirectory()) Object.assign(found, filesOf(folder, name));
    else
      found[name] = readFileSync(join(folder, name), "utf8").replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "then");
  }
  return found;
}

async function onPawl<T>(
  { path }: TestRepository,
  work: (pawl: ReturnType<typeof pawlOn>) => Promise<T>,
): Promise<T> {
  const pawl = pawlOn(await compose({ cwd: path, env: cleanEnv() }));
  try {
    return await work(pawl);
  } finally {
    await pawl.close();
  }
}

describe("a completion that is killed at any effect", () => {
  it.each(FORMATS)(
    "leaves every file of $name whole, and the next look brings it up to date",
    async ({ plan, step, files }) => {
      const repo = testRepository();
      try {
        for (const [name, text] of Object.entries(files)) repo.write(name, text);
        const at = { plan, step, worktree: repo.path };
        await onPawl(repo, async (pawl) => {
          await pawl.init({ plan });
          await pawl.claim({ ...at });
          await pawl.start(at);
        });
        const call = { verb: "complete", request: { ...at, commit: repo.git("rev-parse", "HEAD") } } as const;
        const started = join(repo.path, "../started");
        cpSync(repo.path, started, { recursive: true });
        const restart = () => {
          rmSync(repo.path, { recursive: true });
          cpSync(started, repo.path, { recursive: true });
        };
        const kill = (moment: number) =>
          programs.run("verb", { cwd: repo.path, at: moment, trace: join(repo.path, "../trace"), call });

        const before = filesOf(repo.path);
        const { moments } = JSON.parse(kill(0).stdout) as VerbOutput;
        const after = filesOf(repo.path);
        expect(after).not.toEqual(before);
        expect(moments).toBeGreaterThan(20);
        let behind = 0;
        for (let moment = 1; moment <= moments; moment += 1) {
          restart();
          expect(kill(moment).signal).toBe("SIGKILL");
          const when = readFileSync(join(repo.path, "../trace"), "utf8");
          const found = filesOf(repo.path);
          for (const [name, text] of Object.entries(found))
            expect([before[name], after[name]], when).toContain(text);
          const isDone = await onPawl(repo, async (pawl) => {
            await pawl.doctor({ fix: true });
            return (await pawl.show({ plan })).steps.some(
              (one) => one.anchor === step && one.status === "completed",
            );
          });
          expect(filesOf(repo.path), when).toEqual(isDone ? after : before);
          if (isDone && JSON.stringify(found) !== JSON.stringify(after)) behind += 1;
        }
        // Without kills between the change and its files this test would show nothing.
        expect(behind).toBeGreaterThan(3);
      } finally {
        repo.remove();
      }
    },
  );
});
