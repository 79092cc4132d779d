import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";

const CHECK = fileURLToPath(new URL("../../scripts/check-rooms.mjs", import.meta.url));

/** What the check says about a source tree of a few files. */
function checked(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), "pawl-rooms-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const { status, stderr } = spawnSync(process.execPath, [CHECK, root], { encoding: "utf8" });
  return { status, stderr };
}

/** A room with a door and a file that is not at it. */
const RUNS = {
  "src/runs/index.ts": 'export { run } from "./run.ts";\n',
  "src/runs/run.ts": "export const run = 1;\nexport interface Run {}\n",
};

const USES_DOOR = { "src/recovery/a.ts": 'import { run } from "../runs/index.ts";\n' };

describe.each([
  ["an import", (path: string) => `import { run } from "${path}";\n`],
  ["an import of types", (path: string) => `import type { run } from "${path}";\n`],
  ["an export", (path: string) => `export { run } from "${path}";\n`],
  ["a lazy import", (path: string) => `const { run } = await import("${path}");\n`],
])("%s", (_, line) => {
  it("from a higher room is refused", () => {
    const { status, stderr } = checked({ ...RUNS, ...USES_DOOR, "src/steps/a.ts": line("../runs/index.ts") });
    expect(status).toBe(1);
    expect(stderr).toBe("src/steps/a.ts imports src/runs/index.ts: steps may not import runs.\n");
  });

  it("past the door of a lower room is refused", () => {
    const { status, stderr } = checked({
      ...RUNS,
      ...USES_DOOR,
      "src/recovery/b.ts": line("../runs/run.ts"),
    });
    expect(status).toBe(1);
    expect(stderr).toBe("src/recovery/b.ts imports src/runs/run.ts past the door src/runs/index.ts.\n");
  });
});

it("an import through the door of a lower room passes", () => {
  expect(checked({ ...RUNS, ...USES_DOOR })).toEqual({ status: 0, stderr: "" });
});

it("a room inside another has a door of its own", () => {
  const files = {
    "src/plans/formats/index.ts": 'export { read } from "./read.ts";\n',
    "src/plans/formats/read.ts": "export const read = 1;\n",
    "src/plans/a.ts": 'import { read } from "./formats/read.ts";\n',
    "src/plans/b.ts": 'import { read } from "./formats/index.ts";\n',
  };
  expect(checked(files).stderr).toBe(
    "src/plans/a.ts imports src/plans/formats/read.ts past the door src/plans/formats/index.ts.\n",
  );
});

it("a door exports nothing that no other room imports", () => {
  const { status, stderr } = checked(RUNS);
  expect(status).toBe(1);
  expect(stderr).toBe("src/runs/index.ts exports run, which no other room imports.\n");
});

it("interfaces do not import each other", () => {
  const files = {
    "src/cli/index.ts": 'export { a } from "./a.ts";\n',
    "src/cli/a.ts": "export const a = 1;\n",
    "src/web/b.ts": 'import { a } from "../cli/index.ts";\n',
    "src/mcp/b.ts": 'import { a } from "../cli/index.ts";\n',
  };
  const { stderr } = checked(files);
  expect(stderr).toContain("web may not import cli");
  expect(stderr).toContain("mcp may not import cli");
});

it("a folder that is not a room is refused", () => {
  expect(checked({ "src/helpers/a.ts": "" }).stderr).toContain("src/helpers is not a room");
});
