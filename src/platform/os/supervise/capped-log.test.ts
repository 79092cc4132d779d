import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { logParts } from "../../ports/supervisor.ts";
import { cappedLog, partBytesFor } from "./capped-log.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-log-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const parts = (path: string) =>
  logParts(path).map((part) => (existsSync(part) ? readFileSync(part, "utf8") : undefined));
const letters = (count: number) =>
  Array.from({ length: count }, (_, index) => String.fromCharCode(97 + (index % 26))).join("");

describe("a log", () => {
  it("that is short is one file", async () => {
    const log = cappedLog(folder, "a", 10);
    log.write(Buffer.from("12345"));
    log.write(Buffer.from("67890"));
    expect(await log.close()).toEqual({
      path: join(folder, "a.log"),
      bytes: 10,
      droppedBytes: 0,
      problem: undefined,
    });
    expect(parts(log.path)).toEqual([undefined, undefined, "1234567890"]);
  });

  it.each([11, 20, 21, 30, 31, 55, 1000])("of %i bytes keeps its beginning and its end", async (count) => {
    const log = cappedLog(folder, "a", 10);
    const text = letters(count);
    for (let at = 0; at < count; at += 7) log.write(Buffer.from(text.slice(at, at + 7)));
    const { droppedBytes } = await log.close();
    const [head = "", previous = "", newest = ""] = parts(log.path);
    expect(head).toBe(text.slice(0, 10));
    const tail = `${previous}${newest}`;
    expect(tail).toBe(text.slice(count - tail.length));
    expect(tail.length).toBeGreaterThan(Math.min(count - 10, 10) - 1);
    expect(head.length + tail.length + droppedBytes).toBe(count);
  });

  it("is written in one call of many parts as in many calls", async () => {
    const log = cappedLog(folder, "a", 10);
    log.write(Buffer.from(letters(95)));
    expect((await log.close()).droppedBytes).toBe(70);
    expect(parts(log.path)[2]).toBe(letters(95).slice(90));
  });

  it("that the disk refuses ends, and the work does not", async () => {
    const log = cappedLog(folder, "a", 10);
    log.write(Buffer.from("1234567890"));
    // The next part needs a new file; without its folder there is none.
    rmSync(folder, { recursive: true });
    log.write(Buffer.from("more"));
    log.write(Buffer.from("and more"));
    expect(await log.close()).toMatchObject({ problem: "ENOENT", bytes: 22 });
  });

  it("says when it cannot be made", () => {
    writeFileSync(join(folder, "file"), "");
    expect(() => cappedLog(join(folder, "file"), "a")).toThrow(/cannot be made/);
  });
});

describe("the logs of a run", () => {
  const MB = 1_000_000;
  const fill = (name: string, bytes: number) => writeFileSync(join(folder, name), Buffer.alloc(bytes));

  it("have parts of full size while there is room", () => {
    expect(partBytesFor(join(folder, "not-there-yet"), 128 * MB)).toBe(8 * 1024 * 1024);
  });

  it("get smaller as the budget is used up, and together keep to it", () => {
    const budget = 40 * MB;
    let used = 0;
    for (let index = 0; index < 12; index += 1) {
      const flood = 3 * partBytesFor(folder, budget);
      fill(`flood-${index}.log`, flood);
      used += flood;
    }
    expect(used).toBeLessThanOrEqual(budget);
  });

  it("always have room for a beginning and an end", () => {
    fill("flood.log", 2 * MB);
    expect(partBytesFor(folder, MB)).toBe(64 * 1024);
  });
});
