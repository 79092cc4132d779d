import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { cleanEnv } from "../support/repository.ts";

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
