import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { RunGit } from "../process/run-git.ts";
import { uncommittedChanges } from "./uncommitted-changes.ts";

it("sees every one of many files change", async () => {
  const path = mkdtempSync(join(tmpdir(), "pawl-changes-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  const names = Array.from({ length: 12_000 }, (_, at) => `file-${at}`);
  const run: RunGit = async ({ onOutput }) => {
    onOutput?.(Buffer.from(names.map((name) => `? ${name}\0`).join("")));
    return "";
  };
  const look = async () => (await uncommittedChanges(run, { path, id: "main" })).fingerprint;
  const before = await look();
  expect(await look()).toBe(before);
  writeFileSync(join(path, names.at(-1)!), "late");
  expect(await look()).not.toBe(before);
});
