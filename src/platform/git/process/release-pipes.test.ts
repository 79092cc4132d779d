import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { releasePipes } from "./release-pipes.ts";

/** Stands still until the program has written and ended, as a process does that waits for its disk. */
function standStillUntilEnded(pid: number): void {
  while (!/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1")));
}

const standStill = (ms: number): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

it.runIf(process.platform === "linux")(
  "reads an answer that came while the process stood still",
  async () => {
    const child = spawn("sh", ["-c", "printf answer"], { stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
    standStillUntilEnded(child.pid!);
    releasePipes([child.stdout, child.stderr], 0);
    standStill(5);
    await once(child, "close");
    expect(said).toBe("answer");
  },
);

it("does not wait for a program that was left behind with the pipe", async () => {
  const child = spawn("sh", ["-c", "sleep 600 & echo $!"], { stdio: ["ignore", "pipe", "ignore"] });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  onTestFinished(() => void process.kill(Number(said)));
  child.once("exit", () => releasePipes([child.stdout], 0));
  await once(child, "close");
  expect(Number(said)).toBeGreaterThan(1);
});
