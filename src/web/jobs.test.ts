import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { pawlJobs } from "./jobs.ts";

const jobsIn = (folder: string, script: string) =>
  pawlJobs({
    program: [process.execPath, "-e", script, "--"],
    cwd: folder,
    env: process.env,
    now: () => "",
    onChange: () => undefined,
  });

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "pawl-jobs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it("refuses more than it can serve at once, and serves again when some are answered", async () => {
  const jobs = jobsIn(newFolder(), `console.log(JSON.stringify({ data: { said: process.argv.at(-1) } }))`);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 30 }, (_, index) => jobs.ask(["explain", String(index)])),
  );
  const refused = outcomes.filter((one) => one.status === "rejected");
  expect(refused).toHaveLength(6);
  expect(refused[0]!.reason).toMatchObject({ problem: "ui/too-many" });
  expect(await jobs.ask(["explain", "29"])).toEqual({ data: { said: "29" } });
});

it("asks once for all that ask the same meanwhile, and anew for those that ask later", async () => {
  const folder = newFolder();
  const script = `require("fs").writeFileSync(process.pid + ".started", ""); console.log('{"data":{"pid":' + process.pid + '}}')`;
  const jobs = jobsIn(folder, script);
  const answers = await Promise.all([jobs.ask(["doctor"]), jobs.ask(["doctor"]), jobs.ask(["doctor"])]);
  expect(new Set(answers).size).toBe(1);
  expect(readdirSync(folder)).toHaveLength(1);
  await jobs.ask(["doctor"]);
  expect(readdirSync(folder)).toHaveLength(2);
});
