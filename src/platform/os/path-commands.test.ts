import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { pathCommands } from "./path-commands.ts";

function stage() {
  const cwd = mkdtempSync(join(tmpdir(), "pawl-commands-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const { run } = pathCommands(process.env);
  return {
    sh: (script: string, limit: { timeoutMs?: number } = {}) => run(["sh", "-c", script], { cwd, ...limit }),
  };
}

/** Ends what a script left running, by the number that it printed. */
const endLeft = (output: string) => process.kill(Number(/\d+/.exec(output)?.[0]));

it("tells how a program ended and what it said last, on both streams", async () => {
  const { sh } = stage();
  expect(await sh("echo out; echo err >&2")).toEqual({
    ok: true,
    ending: "ended with exit code 0",
    output: "out\nerr\n",
  });
  expect(await sh("exit 3")).toMatchObject({ ok: false, ending: "ended with exit code 3" });
  const { ok, output } = await sh("seq 1 100000; echo last");
  expect([ok, output.endsWith("100000\nlast\n"), output.length <= 16_384]).toEqual([true, true, true]);
});

it("ends with the program, also when something that it left running holds its streams", async () => {
  const { sh } = stage();
  const { ok, output } = await sh("sleep 600 & echo $!");
  endLeft(output);
  expect([ok, output]).toEqual([true, expect.stringMatching(/^\d+\n$/)]);
});

it("stops a program that takes too long, and waits no longer for what it had started", async () => {
  const { sh } = stage();
  const { ok, ending, output } = await sh("sleep 600 & echo $!; wait", { timeoutMs: 200 });
  endLeft(output);
  expect([ok, ending]).toEqual([false, "was stopped by SIGTERM"]);
});

it("lets a program open its streams by their names", async () => {
  const { sh } = stage();
  const { ok, output } = await sh("set -e; echo one > /dev/stderr; echo two | tee /dev/stderr");
  expect([ok, output.match(/two/g)?.length, output.includes("one")]).toEqual([true, 2, true]);
});
