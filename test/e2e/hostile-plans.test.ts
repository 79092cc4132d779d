import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unfoldFolder } from "../../src/plans/formats/plan-folder.ts";
import { pawl } from "../support/cli.ts";
import { HOSTILE } from "../support/hostile-plans.ts";

/** What a plan may have, and what one task file may have. */
const MOST = 16 * 1024 * 1024;
const MOST_OF_A_FILE = 1024 * 1024;

/** Room for the braces around it. */
const FRAME = 8192;

/** Half of what a plan may ever take: the other half is the program, and the text itself. */
const HEAP = { NODE_OPTIONS: "--max-old-space-size=128" };

/** Those that hold the most for their size. */
const CASES = [
  ["tugplan", "steps"],
  ["tugplan", "substeps"],
  ["checklist", "dependencies"],
  ["checklist", "one id"],
  ["checklist", "numbers"],
  ["checklist", "headings"],
  ["implementation-plan", "one id"],
  ["task-files", "odd mentions"],
  ["task-files", "tiny numbers"],
  ["task-files", "requirements"],
  ["task-files", "doubles"],
  ["task-files", "subtasks in subtasks"],
] as const;

describe("the largest plan there may be is read in little memory", () => {
  let home: string;
  beforeAll(() => (home = mkdtempSync(join(tmpdir(), "pawl-hostile-"))));
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it.each(CASES)("%s: %s", (format, kind) => {
    const path = join(home, `${format} ${kind}`);
    const make = HOSTILE[format]![kind]!;
    if (format === "task-files") {
      mkdirSync(path);
      const { text } = unfoldFolder(make(MOST_OF_A_FILE - FRAME)).files[0]!;
      for (let number = 1; number <= MOST / MOST_OF_A_FILE; number += 1)
        writeFileSync(join(path, `task-${number}.json`), text!);
    } else writeFileSync(path, make(MOST - FRAME));
    const checked = pawl({ cwd: home, env: HEAP }, "plan", "check", path, "--format", format, "--json");
    expect(checked, checked.stderr).toMatchObject({ signal: null, stderr: "" });
    const { data } = JSON.parse(checked.stdout) as { data: Record<string, unknown> };
    expect(data).toMatchObject({ format });
    // It is a plan, or it says what is wrong with it.
    expect(data["step_count"] !== 0 || data["errors"] !== 0).toBe(true);
  });
});
