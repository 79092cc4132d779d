import { expect, it } from "vitest";
import { withoutPlanFiles } from "./without-plan-files.ts";

it("leaves out the plan itself, what is in it, and a new folder around it", () => {
  expect(withoutPlanFiles(["plan.md", "plan.md.txt", "a.txt"], "plan.md")).toEqual(["plan.md.txt", "a.txt"]);
  expect(withoutPlanFiles(["tasks/1.json", "tasks2/1.json"], "tasks")).toEqual(["tasks2/1.json"]);
  expect(withoutPlanFiles(["specs/", "src/"], "specs/one")).toEqual(["src/"]);
});
