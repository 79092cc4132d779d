import { afterEach, beforeEach, expect, it } from "vitest";
import { flatPlan } from "../../test/support/plans.ts";
import { cleanEnv, testRepository, type TestRepository } from "../../test/support/repository.ts";
import { compose } from "../compose.ts";
import { previewRun } from "./preview-run.ts";

let repo: TestRepository;
beforeEach(() => {
  repo = testRepository();
  repo.write("plan.md", flatPlan(1));
});
afterEach(() => repo.remove());

const commandsOf = async (agent: string) => {
  const ports = await compose({ cwd: repo.path, env: cleanEnv() });
  return (await previewRun(ports, { plan: "plan.md", agent, workflow: "review" })).commands;
};

it("shows the options of each command as they are when it starts: only the one that ticks has a hook", async () => {
  const commands = await commandsOf("claude");
  expect(commands.map(({ type, argv }) => [type, argv.join(" ").includes("pawl hook stop")])).toEqual([
    ["plan", false],
    ["implement_spec", true],
    ["verify", false],
  ]);
});

it("shows the variables that an agent gets its permissions by", async () => {
  const [command] = await commandsOf("opencode");
  expect(Object.keys(command!.env)).toEqual(["OPENCODE_PERMISSION"]);
});
