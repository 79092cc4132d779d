import { writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { PAWL, pawl, pawlJson } from "../support/cli.ts";
import { SMALL_PLAN } from "../support/plans.ts";
import { testRepository, type TestRepository } from "../support/repository.ts";
import { type Workplace, workplace } from "../support/supervised.ts";

let place: Workplace;
let repository: TestRepository;
beforeEach(() => {
  place = workplace();
  repository = testRepository();
});
afterEach(async () => {
  repository.remove();
  await place.remove();
});

it("does the work of a step and ticks its items through pawl", async () => {
  repository.write("plan.md", SMALL_PLAN);
  const at = { cwd: repository.path };
  pawl(at, "state", "init", "plan.md");
  const { data } = pawlJson(at, "state", "claim", "plan.md", "--worktree", ".");
  const step = String(data["anchor"]);
  pawl(at, "state", "start", "plan.md", step, "--worktree", ".");
  const running = await place.start("codex", [{ write: "{step}.txt" }, { tick: "all" }], {
    cwd: repository.path,
    env: {
      PAWL_PLAN: "plan.md",
      PAWL_STEP: step,
      PAWL_WORKTREE: repository.path,
      PAWL_CLAIM: String(data["claim"]),
      SCRIPTED_AGENT_PAWL: `${process.execPath}\n${PAWL}`,
    },
  });
  const { verdict, lastLines } = await running.ended;
  expect(verdict).toEqual({ outcome: "finished" });
  expect(lastLines.join("\n")).not.toContain("pawl ended with");
  const shown = pawlJson(at, "state", "show", "plan.md").data["plan"].steps;
  const { checklist } = shown.find(({ anchor }: { anchor: string }) => anchor === step);
  expect(checklist.tasks_total).toBeGreaterThan(0);
  expect(checklist.tasks_completed).toBe(checklist.tasks_total);
});

it("goes through its lists of acts start by start, each step for itself, and never writes the same twice", async () => {
  const script = place.path("own.json");
  const write = (name: string) => [{ append: name, text: "{run} {unique}\n" }];
  const lists = { runs: [write("first"), write("later")], steps: { other: [write("other")] } };
  writeFileSync(script, JSON.stringify(lists));
  for (const step of ["a", "a", "other", "a", "b"]) {
    const running = await place.start("claude", [], { env: { SCRIPTED_AGENT: script, PAWL_STEP: step } });
    expect((await running.ended).verdict).toEqual({ outcome: "finished" });
  }
  const lines = ["first", "later", "other"].map((name) => place.read(name).trim().split("\n"));
  expect(lines.map((each) => each.map((line) => line.split(" ")[0]))).toEqual([
    ["1", "1"],
    ["2", "3"],
    ["1"],
  ]);
  expect(new Set(lines.flat().map((line) => line.split(" ")[1])).size).toBe(5);
});
