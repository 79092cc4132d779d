import { expect, it } from "vitest";
import { besidesPlan } from "./besides-plan.ts";

it("leaves out the plan itself, what is in it, and a new folder around it", () => {
  expect(besidesPlan(["plan.md", "plan.md.txt", "a.txt"], "plan.md")).toEqual(["plan.md.txt", "a.txt"]);
  expect(besidesPlan(["tasks/1.json", "tasks2/1.json"], "tasks")).toEqual(["tasks2/1.json"]);
  expect(besidesPlan(["specs/", "src/"], "specs/one")).toEqual(["src/"]);
});
