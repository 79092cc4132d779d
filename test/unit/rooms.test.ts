import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";

const CHECK = fileURLToPath(new URL("../../scripts/check-rooms.mjs", import.meta.url));

/** What the check says about a source tree of a few files. */
function checked(files: Readonly<Record<string, string>>, known: Readonly<Record<string, number>> = {}) {
  const root = mkdtempSync(join(tmpdir(), "pawl-rooms-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const texts = { ...files, "scripts/rooms-to-untangle.json": JSON.stringify(known) };
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const { status, stderr } = spawnSync(process.execPath, [CHECK, root], { encoding: "utf8" });
  return { status, stderr };
}

const RUN = { "src/runs/run.ts": "export const run = 1;\n" };

it.each([
  ["an import", 'import { run } from "../runs/run.ts";'],
  ["an import of types", 'import type { Run } from "../runs/run.ts";'],
  ["an export", 'export { run } from "../runs/run.ts";'],
  ["a lazy import", 'const { run } = await import("../runs/run.ts");'],
])("%s from a higher room is refused", (_, line) => {
  const { status, stderr } = checked({ ...RUN, "src/steps/claim.ts": line });
  expect(status).toBe(1);
  expect(stderr).toContain("src/steps/claim.ts imports src/runs/run.ts");
});

it("an import from a lower room, and one that is known, pass", () => {
  expect(checked({ ...RUN, "src/recovery/a.ts": 'import "../runs/run.ts";' }).status).toBe(0);
  const up = { ...RUN, "src/steps/a.ts": 'import "../runs/run.ts";' };
  expect(checked(up, { "steps -> runs": 1 }).status).toBe(0);
});

it("interfaces do not import each other", () => {
  const files = { "src/cli/a.ts": "export {};", "src/web/b.ts": 'import "../cli/a.ts";' };
  expect(checked(files).stderr).toContain("web -> cli");
});

it("a folder that is no room is refused, and so is a number that is too high", () => {
  expect(checked({ "src/helpers/a.ts": "" }).stderr).toContain("src/helpers is no room");
  expect(checked(RUN, { "steps -> runs": 1 }).stderr).toContain("only 0 of 1 are left");
});
