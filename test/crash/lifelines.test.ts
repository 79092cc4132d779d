import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lifelineFiles } from "../../src/platform/sqlite/lifeline-files.ts";
import { type ChildPrograms, childPrograms } from "../support/child-program.ts";
import { type Conversation, converse } from "../support/lines.ts";

/** A lifeline is held exactly as long as its process lives. */

let programs: ChildPrograms<"lifeline">;
let folder: string;
const processes: Conversation[] = [];

beforeAll(async () => {
  programs = await childPrograms("lifeline");
});
afterAll(() => programs.remove());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-lifelines-"));
});
afterEach(async () => {
  for (const running of processes.splice(0)) await running.end();
  rmSync(folder, { recursive: true, force: true });
});

/** A process that follows orders about the lifelines of the folder. */
function other(): Conversation {
  const running = converse(programs.start("lifeline", { folder }));
  processes.push(running);
  return running;
}

const openFiles = (): number => readdirSync("/proc/self/fd").length;

// proves G-dead-owner-found-at-once
describe("a lifeline", () => {
  it("is free within 50 ms of a SIGKILL, 30 times in 30, and never before", async () => {
    const lifelines = lifelineFiles(folder);
    const freedMs: number[] = [];
    for (let round = 0; round < 30; round += 1) {
      const id = `s-${round}`;
      const holder = other();
      await holder.ask({ hold: id });
      expect(lifelines.look(id)).toBe("held");
      const start = performance.now();
      holder.process.kill("SIGKILL");
      while (lifelines.look(id) !== "free" && performance.now() - start < 5000)
        await new Promise(setImmediate);
      freedMs.push(performance.now() - start);
    }
    console.log(`lifelines free after ${Math.max(...freedMs).toFixed(1)} ms at most`);
    expect(freedMs.toSorted((a, b) => a - b)[15]).toBeLessThan(50);
    expect(Math.max(...freedMs)).toBeLessThan(1000);
  });

  it("is held through SIGSTOP", async () => {
    const holder = other();
    await holder.ask({ hold: "s-1" });
    holder.process.kill("SIGSTOP");
    expect(lifelineFiles(folder).look("s-1")).toBe("held");
    holder.process.kill("SIGCONT");
  });

  it("stays held however many look at it, its own process among them", async () => {
    const holder = other();
    await holder.ask({ hold: "s-1" });
    const lookers = Array.from({ length: 4 }, () => other());
    const seen = await Promise.all(
      [holder, ...lookers].map((looker) =>
        looker.ask<{ seen: Record<string, number> }>({ look: "s-1", times: 500 }),
      ),
    );
    expect(seen).toEqual(Array.from({ length: 5 }, () => ({ seen: { held: 500 } })));
    expect(lifelineFiles(folder).look("s-1")).toBe("held");
  });

  it("stays held when its process has collected all its garbage", async () => {
    const holder = other();
    await holder.ask({ hold: "s-1" });
    await holder.ask({ collect: true });
    expect(lifelineFiles(folder).look("s-1")).toBe("held");
  });

  it("cannot be taken by a second process, which hears that the session lives", async () => {
    const lifelines = lifelineFiles(folder);
    await other().ask({ hold: "s-1" });
    const before = openFiles();
    expect(() => lifelines.hold("s-1")).toThrow(expect.objectContaining({ problem: "session/alive" }));
    expect([lifelines.look("s-1"), openFiles()]).toEqual(["held", before]);
  });

  it("is free when its process lets go, and unknown once its file is gone", async () => {
    const lifelines = lifelineFiles(folder);
    const line = lifelines.hold("s-1");
    expect(lifelines.look("s-1")).toBe("held");
    line.letGo();
    expect(lifelines.look("s-1")).toBe("free");
    expect(lifelines.stale()).toEqual(["s-1"]);
    lifelines.forget("s-1");
    expect([lifelines.look("s-1"), lifelines.stale()]).toEqual(["unknown", []]);
  });

  it("that is read a thousand times leaves no file open", () => {
    const lifelines = lifelineFiles(folder);
    const line = lifelines.hold("s-1");
    lifelines.hold("s-2").letGo();
    const before = openFiles();
    for (let look = 0; look < 1000; look += 1)
      expect([lifelines.look("s-1"), lifelines.look("s-2")]).toEqual(["held", "free"]);
    expect(openFiles() - before).toBeLessThan(20);
    line.letGo();
  });
});
