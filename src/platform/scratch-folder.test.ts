import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeScratch, sweepScratch } from "./scratch-folder.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-scratch-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("stays for as long as its process lives, however old a clock makes it look", () => {
  const mine = makeScratch(folder, "work-");
  utimesSync(mine, 0, 0);
  sweepScratch(folder, "work-");
  expect(existsSync(mine)).toBe(true);
});

it("goes once its process is gone, also when another process has its number by now", () => {
  const mine = basename(makeScratch(folder, "work-"));
  const { pid } = spawnSync("true");
  const [dead, other] = [mine.replace(`.${process.pid}.`, `.${pid}.`), mine.replace(/\.\w+-(?=\w+$)/, ".7-")];
  for (const name of [dead, other]) mkdirSync(join(folder, name), { recursive: true });
  mkdirSync(join(folder, dead, "inside"));
  sweepScratch(folder, "work-");
  expect(readdirSync(folder)).toEqual(process.platform === "linux" ? [mine] : [mine, other]);
});

it("goes after the machine was started again", () => {
  const mine = basename(makeScratch(folder, "work-"));
  const [space, , ...rest] = mine.split(".");
  mkdirSync(join(folder, [space, "anotherboot", ...rest].join(".")));
  sweepScratch(folder, "work-");
  expect(readdirSync(folder)).toEqual([mine]);
});

it("stays where another container, an older Pawl or another program may have it", () => {
  const mine = basename(makeScratch(folder, "work-"));
  const kept = [mine, mine.replace(/^work-\w+/, "work-elsewhere"), "work-abc123", "other"].toSorted();
  for (const name of kept) mkdirSync(join(folder, name), { recursive: true });
  sweepScratch(folder, "work-");
  expect(readdirSync(folder).toSorted()).toEqual(kept);
});
