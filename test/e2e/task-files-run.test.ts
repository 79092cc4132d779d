import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { PAWL, pawl } from "../support/cli.ts";
import { testRepository } from "../support/repository.ts";
import { type Acts, AGENT, GOOD } from "../support/run-shop.ts";

const FILE = ".claude/tasks/task-1.json";
const TASK = `{
  "id": "1",
  "title": "Dig",
  "description": "A deep hole, at least a metre.",
  "status": "Pending",
  "notes": ["a person's words"],
  "custom": { "kept": 1.0 }
}
`;

/** A folder with one task, and a verification that wants a file called ok.txt. */
function taskShop(acts: readonly Acts[]) {
  const repo = testRepository();
  onTestFinished(() => repo.remove());
  repo.write(FILE, TASK);
  repo.write("pawl.toml", '[verify]\ncommand = ["test", "-f", "ok.txt"]\n');
  repo.git("add", "-A");
  repo.git("commit", "-q", "-m", "tasks");
  const script = join(repo.path, "../script.json");
  writeFileSync(script, JSON.stringify({ speak: "plain", runs: acts }));
  const env = { SCRIPTED_AGENT: script, SCRIPTED_AGENT_PAWL: `${process.execPath}\n${PAWL}` };
  return {
    repo,
    run: () => pawl({ cwd: repo.path, env }, "run", ".claude/tasks", ...AGENT),
    merge: () => pawl({ cwd: repo.path, env }, "worktree", "merge", ".claude/tasks"),
    task: () => JSON.parse(readFileSync(join(repo.path, FILE), "utf8")) as Record<string, unknown>,
    prompt: () => (JSON.parse(readFileSync(`${script}.task-1.1.json`, "utf8")) as { prompt: string }).prompt,
  };
}

it("keeps attempts, history and tags of a task file in step with the verdicts", () => {
  const shop = taskShop([GOOD]);
  expect(shop.run().code).toBe(5);
  const { notes, ...task } = shop.task();
  expect(task).toMatchObject({
    status: "Blocked",
    verification_attempts: 3,
    verification_history: [1, 2, 3].map((attempt) => ({ attempt, result: "fail" })),
    custom: { kept: 1 },
  });
  expect((notes as string[])[0]).toBe("a person's words");
  expect((notes as string[]).at(-1)).toMatch(/^\[VERIFICATION ESCALATED\]/);
});

it("gives the agent the words of the task, and tells a pass after a failure", () => {
  const shop = taskShop([GOOD, [{ write: "ok.txt" }]]);
  const { code, stderr } = shop.run();
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(shop.prompt()).toContain("A deep hole, at least a metre.");
  expect(shop.task()).toMatchObject({
    status: "Finished",
    verification_history: [
      { attempt: 1, result: "fail" },
      { attempt: 2, result: "pass" },
    ],
    notes: ["a person's words"],
  });
});

it("puts a status back that the agent wrote into its copy of the task, so that the plan can be merged", () => {
  const finish = `sed -i.old 's/"Pending"/"Finished", "completion_date": "2026-01-01"/' ${FILE} && rm ${FILE}.old`;
  const shop = taskShop([[{ write: "ok.txt" }, { sh: finish }]]);
  const { code, stderr } = shop.run();
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stderr).toContain(
    "task-1: the status that was changed in the worktree's copy of .claude/tasks does not count",
  );
  expect(shop.repo.git("show", "--name-only", "--format=", "pawl/tasks")).toBe("ok.txt");
  expect(shop.merge()).toMatchObject({ code: 0 });
  expect(shop.task()).toMatchObject({ status: "Finished", verification_history: [{ result: "pass" }] });
});

it("leaves what else the agent wrote into its task in the step's commit", () => {
  const note = `sed -i.old 's/"Pending"/"Finished"/; s/a person.s words/an agent'"'"'s words/' ${FILE} && rm ${FILE}.old`;
  const shop = taskShop([[{ write: "ok.txt" }, { sh: note }]]);
  const { code, stderr } = shop.run();
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const committed = JSON.parse(shop.repo.git("show", `pawl/tasks:${FILE}`)) as Record<string, unknown>;
  expect(committed).toMatchObject({ status: "Pending", notes: ["an agent's words"] });
});
