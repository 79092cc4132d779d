import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { runShop } from "../support/run-shop.ts";

const SETTINGS = `
worktree_setup = ["sh", "-c", "echo set up > /dev/stderr"]
[verify]
command = ["sh", "-ec", "echo checked | tee /dev/stderr; echo again > /dev/stdout"]
`;

const SCRIPT = `set -e
cat > /dev/null
echo working > /dev/stderr
echo done > work.txt
pawl state update "$PAWL_PLAN" "$PAWL_STEP" --all completed > /dev/stdout
`;

const HOOK = `#!/bin/sh
set -e
echo looking > /dev/stderr
echo good | tee /dev/stderr
`;

it("agents, checks, set-up commands and hooks may open their output by its name", async () => {
  const shop = runShop([{ number: "1", tasks: ["dig"] }], SETTINGS);
  const hook = shop.path(".git/hooks/pre-commit");
  mkdirSync(dirname(hook), { recursive: true });
  writeFileSync(hook, HOOK);
  chmodSync(hook, 0o755);
  const run = shop.pawl("run", "plan.md", "--", "sh", "-c", SCRIPT);
  expect(run.code, run.stderr).toBe(0);
  expect(shop.steps()).toEqual(["step-1 completed"]);
});
