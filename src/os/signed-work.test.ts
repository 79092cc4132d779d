import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { signingKey } from "./signing-key.ts";

vi.mock("node:fs", { spy: true });

const hex = (number: number, length: number): string => number.toString(16).padStart(length, "0");

function stage() {
  const folder = mkdtempSync(join(tmpdir(), "pawl-key-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const readings = () =>
    vi.mocked(readFileSync).mock.calls.filter(([path]) => String(path).endsWith("signed-work")).length;
  return { key: signingKey(folder), other: signingKey(folder), readings };
}

it("reads the notes of signed work once for all who ask, as long as nobody adds one", () => {
  const { key, readings } = stage();
  for (let step = 0; step < 50; step += 1)
    key.remember(hex(step, 64), { commit: hex(step, 40), change: hex(step, 64) });
  const before = readings();
  for (let step = 0; step < 50; step += 1)
    expect(key.workOf(hex(step, 64))).toEqual([{ commit: hex(step, 40), change: hex(step, 64) }]);
  expect(readings() - before).toBe(1);
});

it("sees what another process has noted since", () => {
  const { key, other } = stage();
  expect(key.workOf(hex(1, 64))).toEqual([]);
  other.remember(hex(1, 64), { commit: hex(2, 40), change: hex(3, 64) });
  expect(key.workOf(hex(1, 64))).toEqual([{ commit: hex(2, 40), change: hex(3, 64) }]);
  key.remember(hex(1, 64), { commit: hex(4, 40), change: hex(5, 64) });
  expect(other.workOf(hex(1, 64))).toHaveLength(2);
});
