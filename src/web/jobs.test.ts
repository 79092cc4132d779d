import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { pawlJobs } from "./jobs.ts";

it("asks once for all that ask the same meanwhile, and anew for those that ask later", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-jobs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const script = `require("fs").writeFileSync(process.pid + ".started", ""); console.log('{"data":{"pid":' + process.pid + '}}')`;
  const jobs = pawlJobs({
    program: [process.execPath, "-e", script, "--"],
    cwd: folder,
    env: process.env,
    now: () => "",
    onChange: () => undefined,
  });
  const answers = await Promise.all([jobs.ask(["doctor"]), jobs.ask(["doctor"]), jobs.ask(["doctor"])]);
  expect(new Set(answers).size).toBe(1);
  expect(readdirSync(folder)).toHaveLength(1);
  await jobs.ask(["doctor"]);
  expect(readdirSync(folder)).toHaveLength(2);
});
