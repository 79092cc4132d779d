import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isCutShort } from "./is-cut-short.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "pawl-cut-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function cutShort(now: string | undefined, known: string, evenShorter: boolean): boolean {
  const [path, before] = ["now", "known"].map((name) => Buffer.from(join(folder, name))) as [Buffer, Buffer];
  if (now !== undefined) writeFileSync(path, now, "latin1");
  writeFileSync(before, known, "latin1");
  return isCutShort(path, before, { evenShorter });
}

const LONG = "line\n".repeat(40_000);

it.each([
  ["an empty file that held something", "", "text", "yes"],
  ["an empty file that was empty", "", "", "no"],
  ["a file that is as it was", "text", "text", "no"],
  ["zero bytes instead of the end", "te\0\0", "text", "yes"],
  ["nothing but zero bytes", "\0\0\0\0", "text", "yes"],
  ["fewer zero bytes than there were bytes", "te\0", "text", "yes"],
  ["zero bytes that were there before", "te\0\0", "te\0\0", "no"],
  ["another text", "else", "text", "no"],
  ["another text with zero bytes at its end", "el\0\0", "text", "no"],
  ["a longer text", "text and more", "text", "no"],
  ["a beginning", "te", "text", "after a reboot"],
  ["a beginning of a long file", LONG.slice(0, 70_000), LONG, "after a reboot"],
  ["a long file with zero bytes at its end", `${LONG.slice(0, 70_000)}${"\0".repeat(50_000)}`, LONG, "yes"],
  ["a long file that changed far behind", `${LONG.slice(0, 150_000)}else`, LONG, "no"],
  ["no file", undefined, "text", "no"],
])("%s", (_, now, known, expected) => {
  expect(cutShort(now, known, false)).toBe(expected === "yes");
  expect(cutShort(now, known, true)).toBe(expected !== "no");
});
