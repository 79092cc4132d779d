import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { pawl } from "../support/cli.ts";
import { cleanEnv } from "../support/repository.ts";

it("makes a repository to try Pawl in, and refuses a folder that is there", () => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-demo-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const at = { cwd: folder };
  expect(pawl(at, "demo", "new")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("costs nothing"),
  });
  expect(readdirSync(join(folder, "new")).toSorted()).toEqual([
    ".git",
    "agent.mjs",
    "check.mjs",
    "pawl.toml",
    "plan.md",
  ]);
  expect(pawl({ cwd: join(folder, "new") }, "plan", "check", "plan.md").code).toBe(0);
  const again = pawl(at, "demo", "new");
  expect(again).toMatchObject({
    code: expect.any(Number),
    stderr: expect.stringContaining("is there already"),
  });
  expect(again.code).not.toBe(0);
});

it("the demo kills its runner, resumes, finishes every step once, and leaves nothing behind", () => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-demo-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const demo = fileURLToPath(new URL("../../scripts/demo.mjs", import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [demo, "--fast"], {
    env: cleanEnv({ TMPDIR: folder }),
    encoding: "utf8",
  });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  const [before = "", after = ""] = stdout.split(/\$ kill -9 \d+/);
  expect(before).toContain("$ pawl run plan.md --workers 3");
  expect(before).not.toContain("All steps are completed.");
  expect(after).toContain("interrupted");
  expect(after).toContain("All steps are completed.");
  const [, log = ""] = after.split("$ git log pawl/plan\n");
  const subjects = log.split("\n\n")[0]!.split("\n");
  expect(subjects).toHaveLength(11);
  expect(readdirSync(folder)).toEqual([]);
}, 120_000);
