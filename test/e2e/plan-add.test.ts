import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runShop } from "../support/run-shop.ts";

const fileOf = (shop: ReturnType<typeof runShop>, name = "plan.md") =>
  readFileSync(`${shop.repo.path}/${name}`, "utf8");

describe("a step that a person adds to a plan", () => {
  it("is written at the end, once, and counts once it is committed", async () => {
    const shop = runShop();
    shop.json("state", "init", "plan.md");
    const before = fileOf(shop);
    const args = ["plan", "add", "plan.md", "Tell people", "--task", "write it", "--after", "step-3"];
    const would = shop.json(...args, "--dry-run").data;
    expect(would).toMatchObject({
      anchor: "step-4",
      depends_on: ["step-3"],
      added: false,
      needs_commit: true,
    });
    expect(fileOf(shop)).toBe(before);
    expect(shop.json(...args, "--seen", String(would.seen)).data).toMatchObject({ added: true });
    const after = fileOf(shop);
    expect(after.replace((would.lines as readonly string[]).join("\n"), "").replaceAll(/\n+$/g, "")).toBe(
      before.replaceAll(/\n+$/g, ""),
    );
    // The same once more finds it there, whatever was seen.
    expect(shop.json(...args, "--seen", String(would.seen)).data).toMatchObject({ added: false });
    expect(fileOf(shop)).toBe(after);
    expect(shop.steps()).toHaveLength(3);
    shop.repo.git("commit", "-qam", "one more");
    shop.json("state", "init", "plan.md", "--force");
    expect(shop.steps()).toHaveLength(4);
  });

  it("is refused with the reason and what to do instead", () => {
    const shop = runShop();
    const refused = (...args: readonly string[]) => {
      const { issues } = shop.json("plan", "add", ...args);
      return issues[0] as { code: string; message: string; hint: string };
    };
    expect(refused("plan.md", " ")).toMatchObject({ code: "E066" });
    expect(refused("plan.md", "x", "--after", "step-9")).toMatchObject({ code: "E060" });
    expect(refused("plan.md", "x", "--seen", "other")).toMatchObject({ code: "E240" });
    expect(refused("plan.md", "x", "--text", "#### Step 9: Another {#step-9}")).toMatchObject({
      code: "E203",
      hint: expect.stringContaining("Leave out headings"),
    });
    shop.repo.write("tasks.md", "- [ ] T001 One\n");
    expect(refused("tasks.md", "x", "--after", "T001").hint).toContain("follows the last step");
    shop.repo.write("tasks.json", JSON.stringify({ tasks: [{ id: 1, title: "One", status: "pending" }] }));
    expect(refused("tasks.json", "x")).toMatchObject({
      message: "No step can be added to tasks.json: Pawl does not write steps into the format task-master.",
      hint: expect.stringContaining("with an editor"),
    });
  });
});
