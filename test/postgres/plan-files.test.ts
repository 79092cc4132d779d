import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { compose } from "../../src/compose.ts";
import { pawlOn } from "../../src/api.ts";
import { cleanEnv, testRepository } from "../support/repository.ts";
import { sharedServer } from "./shared-server.ts";

const shared = sharedServer();

test("what a file says is taken over by a server, and the file follows the server", async () => {
  const repository = testRepository();
  onTestFinished(repository.remove);
  const task = (value: object) => JSON.stringify(value);
  repository.write(".claude/tasks/task-1.json", task({ id: "1", status: "Finished" }));
  repository.write(".claude/tasks/task-2.json", task({ id: "2", status: "Pending", dependencies: ["1"] }));
  repository.write(
    ".claude/tasks/task-3.json",
    task({ id: "3", status: "Awaiting Verification", verification_attempts: 1 }),
  );
  repository.write(
    ".claude/tasks/task-4.json",
    task({ id: "4", status: "Blocked", notes: ["[AGENT TIMEOUT] slow"] }),
  );
  repository.write("list.md", "- [ ] a\n  - [x] one\n  - [-] two\n- [ ] b\n");
  const env = cleanEnv({ PAWL_DATABASE_URL: shared.url, PAWL_REPOSITORY_ID: "plan-files" });
  const pawl = pawlOn(await compose({ cwd: repository.path, env }));
  onTestFinished(() => pawl.close());
  const plan = ".claude/tasks";
  await pawl.init({ plan });
  const { steps } = await pawl.show({ plan });
  expect(steps.map(({ status, blockReason }) => [status, blockReason])).toEqual([
    ["completed", null],
    ["pending", null],
    ["awaiting_verification", null],
    ["blocked", "agent_timeout"],
  ]);
  const at = { plan, step: "task-2", worktree: repository.path };
  await pawl.claim(at);
  await pawl.start(at);
  await pawl.complete(at);
  expect(readFileSync(join(repository.path, ".claude/tasks/task-2.json"), "utf8")).toBe(
    task({ id: "2", status: "Finished", dependencies: ["1"] }),
  );
  await pawl.init({ plan: "list.md" });
  const [first] = (await pawl.show({ plan: "list.md" })).steps;
  expect(first?.items.map(({ status }) => status)).toEqual(["completed", "deferred"]);
  expect((await pawl.doctor()).checks.find(({ name }) => name === "plan_files")?.status).toBe("pass");
});
