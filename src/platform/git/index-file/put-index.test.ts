import {
  existsSync,
  linkSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { putIndex } from "./copy-index.ts";

let gitDir = "";
const at = (name: string): string => join(gitDir, name);
const SAVED = { bytes: Buffer.from("saved"), writtenAtUs: 1_700_000_000_123_456 };

beforeEach(() => {
  gitDir = mkdtempSync(join(tmpdir(), "pawl-index-"));
  writeFileSync(at("index"), "old");
});
afterEach(() => rmSync(gitDir, { recursive: true, force: true }));

const left = () => ({
  index: readFileSync(at("index"), "utf8"),
  others: ["index.lock", "pawl-index"].filter((name) => existsSync(at(name))),
});
const DONE = { index: "saved", others: [] };

it("replaces the index and never makes it look newer than it was", async () => {
  await putIndex(gitDir, SAVED);
  expect(left()).toEqual(DONE);
  expect(statSync(at("index"), { bigint: true }).mtimeNs / 1000n).toBeLessThanOrEqual(1_700_000_000_123_456n);
});

it("waits for another process's lock and leaves it alone", async () => {
  writeFileSync(at("index.lock"), "theirs");
  const done = putIndex(gitDir, SAVED);
  await new Promise((go) => setTimeout(go, 60));
  expect(readFileSync(at("index"), "utf8")).toBe("old");
  expect(readFileSync(at("index.lock"), "utf8")).toBe("theirs");
  unlinkSync(at("index.lock"));
  await done;
  expect(left()).toEqual(DONE);
});

it("gives up in the end, with the lock still there", async () => {
  writeFileSync(at("index.lock"), "theirs");
  await expect(putIndex(gitDir, SAVED)).rejects.toMatchObject({ problem: "git/busy" });
  expect(readFileSync(at("index.lock"), "utf8")).toBe("theirs");
  expect(readFileSync(at("index"), "utf8")).toBe("old");
}, 30_000);

it("finishes what it was killed in, knowing its own lock by its inode", async () => {
  writeFileSync(at("pawl-index"), "half");
  linkSync(at("pawl-index"), at("index.lock"));
  await putIndex(gitDir, SAVED);
  expect(left()).toEqual(DONE);
});

it("clears away a file that never became a lock", async () => {
  writeFileSync(at("pawl-index"), "ha");
  await putIndex(gitDir, SAVED);
  expect(left()).toEqual(DONE);
});
