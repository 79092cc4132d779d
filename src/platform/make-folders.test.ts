import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeFolders } from "./make-folders.ts";

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "pawl-test-"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

it("makes all that is missing on the way, for its owner alone, and is content with what is there", () => {
  const path = join(home, "a/b/c");
  makeFolders(path);
  makeFolders(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

it("follows a link to a folder", () => {
  makeFolders(join(home, "real"));
  symlinkSync(join(home, "real"), join(home, "link"));
  makeFolders(join(home, "link/below"));
  expect(statSync(join(home, "real/below")).isDirectory()).toBe(true);
});

it("fails where a file is in the way", () => {
  writeFileSync(join(home, "file"), "");
  expect(() => makeFolders(join(home, "file"))).toThrow("EEXIST");
  expect(() => makeFolders(join(home, "file/below"))).toThrow(/ENOTDIR|EEXIST/);
});

it.runIf(process.platform === "linux")("ends where no folder can ever be made", () => {
  expect(() => makeFolders("/proc/no-such-folder/below")).toThrow("ENOENT");
});
