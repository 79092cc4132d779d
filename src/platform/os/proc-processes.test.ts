import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { procProcesses } from "./proc-processes.ts";

describe.runIf(existsSync("/proc/self/stat"))("a process", () => {
  const self = procProcesses.self();
  const moved = (by: number) => String(Number(self.startedAt) + by);

  it("knows itself by its number and its start", () => {
    expect(self.pid).toBe(process.pid);
    expect(procProcesses.mayLive(self)).toBe(true);
    expect(procProcesses.isStopped(self)).toBe(false);
  });

  it.each([-1, 1])("that has the number of another, started %i tick apart, is not that one", (by) =>
    expect(procProcesses.mayLive({ pid: self.pid, startedAt: moved(by) })).toBe(false),
  );

  it("whose start is unknown may live as long as its number answers", () =>
    expect(procProcesses.mayLive({ pid: self.pid, startedAt: "unknown" })).toBe(true));

  it("that ended lives no more", async () => {
    const child = spawn(process.execPath, ["--eval", ""], { stdio: "ignore" });
    const pid = child.pid!;
    await once(child, "exit");
    for (const startedAt of [self.startedAt, "unknown"]) {
      expect(procProcesses.mayLive({ pid, startedAt })).toBe(false);
      expect(procProcesses.isStopped({ pid, startedAt })).toBe(false);
    }
  });
});
