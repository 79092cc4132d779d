import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type FlushRecorder, recordFlushes } from "../../test/support/flush-recorder.ts";
import { syncPaths, syncTrees } from "./sync-paths.ts";

let folder: string;
let recorder: FlushRecorder;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "pawl-sync-")));
  recorder = recordFlushes();
});

afterEach(() => {
  recorder.stop();
  rmSync(folder, { recursive: true, force: true });
});

const file = (name: string): string => {
  writeFileSync(join(folder, name), "x");
  return join(folder, name);
};

const flushes = () => recorder.events.filter((one) => /^(?:fsync|sync) /.test(one));

it("flushes a few files one by one, and their folder", async () => {
  const paths = [file("a"), file("b"), folder];
  await syncPaths(folder, paths);
  // Side by side, so they end in any order.
  expect(flushes().toSorted()).toEqual(paths.map((path) => `fsync ${path}`).toSorted());
});

it("flushes the file system once for many", async () => {
  await syncPaths(
    folder,
    Array.from({ length: 17 }, (_, index) => file(`${index}`)),
  );
  expect(flushes()).toHaveLength(1);
  expect(flushes()[0]).toMatch(new RegExp(`^sync .*${folder}$`));
});

it("flushes everything below a folder", async () => {
  mkdirSync(join(folder, "below"));
  file("below/a");
  await syncTrees([folder]);
  expect(flushes()[0]).toMatch(new RegExp(`^sync .*${folder}$`));
});

it("flushes file by file where there is no program for it", async () => {
  mkdirSync(join(folder, "below"));
  const path = file("below/a");
  const before = process.env["PATH"];
  process.env["PATH"] = folder;
  try {
    await syncTrees([folder]);
  } finally {
    process.env["PATH"] = before;
  }
  expect(flushes()).toEqual([`fsync ${path}`, `fsync ${join(folder, "below")}`, `fsync ${folder}`]);
});

it("passes over what is gone, and never through a link", async () => {
  const target = file("target");
  symlinkSync(target, join(folder, "link"));
  await syncPaths(folder, [join(folder, "gone"), join(folder, "gone/below"), join(folder, "link")]);
  expect(flushes()).toEqual([]);
});
