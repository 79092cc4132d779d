import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pawl } from "../support/cli.ts";
import { AGENT, GOOD, runShop, THREE, untilWritten } from "../support/run-shop.ts";
import { lives } from "../support/supervised.ts";

it.each([["recover", "--auto"], ["status"], ["run", "plan.md", "--max-steps", "1", "--", "/bin/true"]])(
  "leaves the agents of a run alone when `pawl %s` runs in a copy of the repository",
  async (...command) => {
    const shop = runShop([THREE[0]!]);
    shop.script({ steps: { "step-1": [[{ write: "half.txt" }, { hang: true }], GOOD] } });
    shop.start("run", "plan.md", ...AGENT);
    await untilWritten(join(shop.worktree(), "half.txt"));
    const copy = shop.path("copy");
    cpSync(shop.repo.path, copy, { recursive: true, preserveTimestamps: true });
    pawl({ cwd: copy, env: shop.env }, ...command);
    expect(shop.starts("step-1")).toBe(1);
    expect(shop.pids().map(lives)).toEqual([true]);
  },
);
