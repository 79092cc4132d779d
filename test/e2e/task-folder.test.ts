import { describe, expect, it } from "vitest";
import { taskShop } from "../support/task-shop.ts";

describe("the folder of tasks", () => {
  it("is among the plans that are found, with the command that runs it", () => {
    const shop = taskShop([{ id: "1", title: "Dig" }]);
    expect(shop.json("init").data.plans_found).toEqual([".claude/tasks"]);
    expect(shop.pawl("init").stdout).toContain("plan .claude/tasks: pawl run .claude/tasks");
  });

  it("is no plan while nothing in it is called like a task, and says so", () => {
    const shop = taskShop([]);
    shop.repo.write(".claude/tasks/a.json", '{"id": "a", "title": "Dig"}\n');
    expect(shop.json("init").data.plans_found).toEqual([]);
    const { code, stdout } = shop.pawl("plan", "check", ".claude/tasks");
    expect(code).toBe(1);
    expect(stdout).toContain("No file in the folder is called task-*.json.");
  });
});
