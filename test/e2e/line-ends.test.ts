import { expect, it } from "vitest";
import { runShop } from "../support/run-shop.ts";

it("runs a plan whose worktree has other line ends than the checkout (core.autocrlf)", async () => {
  const shop = runShop([{ number: "1", tasks: ["dig"] }]);
  shop.repo.git("config", "core.autocrlf", "true");
  const { code, stderr } = await shop.run();
  expect(code, stderr).toBe(0);
  expect(shop.steps()).toEqual(["step-1 completed"]);
  expect(shop.repo.git("status", "--porcelain")).toBe("");
});
