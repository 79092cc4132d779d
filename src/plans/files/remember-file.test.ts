import { mkdtempSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { rememberFile } from "./remember-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-remember-"));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

/** As if this much time had passed since everything that happened. */
const later = (ms: number) => {
  vi.useFakeTimers({ now: Date.now() + ms, toFake: ["Date"] });
};

const setUp = () => {
  const path = join(folder, "plan.md");
  writeFileSync(path, "one");
  const read = vi.fn<(name: string) => string>((name) => readFileSync(name, "utf8"));
  return { path, read, remembered: rememberFile(read) };
};

it("reads a file that lies still once", () => {
  const { path, read, remembered } = setUp();
  later(10_000);
  expect([remembered(path), remembered(path), remembered(path)]).toEqual(["one", "one", "one"]);
  expect(read).toHaveBeenCalledTimes(1);
});

it("reads a file that was changed just now every time, even if its size and times stay", () => {
  const { path, remembered } = setUp();
  expect(remembered(path)).toBe("one");
  writeFileSync(path, "two");
  utimesSync(path, 0, 0);
  expect(remembered(path)).toBe("two");
  writeFileSync(path, "six");
  utimesSync(path, 0, 0);
  expect(remembered(path)).toBe("six");
});

it("notices another file in its place, and one that is gone", () => {
  const { path, remembered } = setUp();
  later(10_000);
  expect(remembered(path)).toBe("one");
  writeFileSync(`${path}.new`, "two");
  renameSync(`${path}.new`, path);
  later(20_000);
  expect(remembered(path)).toBe("two");
  rmSync(path);
  expect(() => remembered(path)).toThrow("ENOENT");
});

it("does not take a file for still because reading it took long", () => {
  const { path, read, remembered } = setUp();
  read.mockImplementationOnce((name) => {
    const text = readFileSync(name, "utf8");
    later(10_000);
    return text;
  });
  remembered(path);
  remembered(path);
  expect(read).toHaveBeenCalledTimes(2);
});
