import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { signingKey } from "./signing-key.ts";

const hex = (number: number, length: number): string => number.toString(16).padStart(length, "0");

function stage() {
  const folder = mkdtempSync(join(tmpdir(), "pawl-key-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return { key: signingKey(folder), other: signingKey(folder), notes: join(folder, "signed-work") };
}

it("reads the notes of signed work once for all calls, until one is added", () => {
  const { key, other, notes } = stage();
  for (const step of [1, 2]) key.remember(hex(step, 64), { commit: hex(step, 40), change: hex(step, 64) });
  // A whole second can be set again to the last digit.
  const touch = () => utimesSync(notes, 1_000_000_000, 1_000_000_000);
  touch();
  const workOfOne = [{ commit: hex(1, 40), change: hex(1, 64) }];
  expect(key.workOf(hex(1, 64))).toEqual(workOfOne);
  // Written over behind its back, with all the marks of the file as they were: only who reads anew can see it.
  writeFileSync(notes, readFileSync(notes, "utf8").replaceAll(/[0-9a-f]/g, "f"));
  touch();
  expect(other.workOf(hex(1, 64))).toEqual([]);
  expect(key.workOf(hex(1, 64))).toEqual(workOfOne);
  expect(key.workOf(hex(2, 64))).toEqual([{ commit: hex(2, 40), change: hex(2, 64) }]);
});

it("sees what another process has noted since", () => {
  const { key, other } = stage();
  expect(key.workOf(hex(1, 64))).toEqual([]);
  other.remember(hex(1, 64), { commit: hex(2, 40), change: hex(3, 64) });
  expect(key.workOf(hex(1, 64))).toEqual([{ commit: hex(2, 40), change: hex(3, 64) }]);
  key.remember(hex(1, 64), { commit: hex(4, 40), change: hex(5, 64) });
  expect(other.workOf(hex(1, 64))).toHaveLength(2);
});
