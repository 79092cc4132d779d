import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SMALL_PLAN } from "../../../test/support/plans.ts";
import { appendedPlan } from "./append-step.ts";
import { chooseFormat, formatNamed } from "./formats.ts";

const FOLDER = join(import.meta.dirname, "../../../test/fixtures/plans");

const files = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".md") && statSync(join(FOLDER, name)).isFile())
  .map((name) => ({ name, text: readFileSync(join(FOLDER, name), "utf8") }))
  .filter(({ name, text }) => chooseFormat(name, text).format.appendStep !== undefined);

const NEW = { title: "Tell people", text: "In the changelog.", tasks: ["write it", "read it"], after: [] };

/** What has no step that could be continued, and what would be another plan with boxes in it. */
const REFUSED = new Map([
  ["edge-no-boxes.md", "shape"],
  ["edge-only-criteria.md", "shape"],
  ["edge-other-headings.md", "shape"],
  ["edge-status-marks.md", "shape"],
  ["edge-table.md", "shape"],
  // Two of its steps are the same, which is an error.
  ["edge-equal-steps.md", "words"],
  ["edge-criteria-of-phases.md", "words"],
  ["edge-deliverables.md", "words"],
  ["edge-migration-checklist.md", "words"],
  ["phases-with-numbered-steps.md", "words"],
  ["stages.md", "words"],
]);

const added = (format: string, text: string, more: object = {}): string => {
  const after = formatNamed(format)!.appendStep!(text, { ...NEW, text: "", tasks: [], ...more })!;
  return after.split(/\r?\n/).find((line) => line.includes(NEW.title))!;
};

describe("a step that is added to a plan", () => {
  it.each(files)("is the last one of $name, and no other byte changes", ({ name, text }) => {
    const { format } = chooseFormat(name, text);
    for (const written of [text, text.replaceAll("\n", "\r\n"), `\ufeff${text}`, text.trimEnd()]) {
      const appended = appendedPlan(format, name, written, NEW);
      if ("why" in appended) {
        expect(REFUSED.get(name)).toBe(appended.why);
        continue;
      }
      const { text: after, made } = appended;
      expect(made.items.map((item) => item.text)).toEqual(NEW.tasks);
      const start = [...after].findIndex((char, index) => char !== written[index]);
      expect(after.endsWith(written.slice(start))).toBe(true);
      expect(after.includes("\r\n")).toBe(written.includes("\r\n"));
      if (written.includes("\r\n")) expect(after.replaceAll("\r\n", "")).not.toContain("\n");
    }
  });

  it("gets the next number, in the way in which the others are written", () => {
    expect(added("tugplan", SMALL_PLAN)).toBe("#### Step 3: Tell people {#step-3}");
    expect(added("tugplan", "### Step R1a: A {#a}\n\n### Step R2: B {#step-r3}\n")).toBe(
      "### Step R4: Tell people {#step-r4}",
    );
    expect(added("headed", "### Task 1: A\n\n### Task 2 — B\n\n## Notes\n")).toBe("### Task 3 — Tell people");
    expect(added("headed", "## Step 1.8: A\n\ntext\n")).toBe("## Step 1.9: Tell people");
    expect(added("checklist", "- [x] T009 A\n- [ ] T010 [P] B\n\nWords.\n")).toBe("- [ ] T011 Tell people");
    expect(added("checklist", "1. [ ] A\n2. [ ] B\n")).toBe("3. [ ] Tell people");
    expect(added("checklist", "* [ ] A\n  * [ ] B\n")).toBe("* [ ] Tell people");
    expect(added("checklist", "## 2. Two\n\n- [ ] 2.1 A\n- [ ] 2.2 B\n")).toBe("- [ ] 2.3 Tell people");
    expect(added("kiro", "# Implementation Plan\n\n- [ ] 1. A\n  - [ ] 1.1 B\n")).toBe(
      "- [ ] 2. Tell people",
    );
  });

  it("waits for the steps that it names, where the format can say so", () => {
    const tug = formatNamed("tugplan")!;
    const last = tug.read(tug.appendStep!(SMALL_PLAN, { ...NEW, after: ["step-0", "step-2"] })!).steps.at(-1);
    expect(last!.dependsOn.map(({ anchor }) => anchor)).toEqual(["step-0", "step-2"]);
    const headed = formatNamed("headed")!;
    const tasks = headed.appendStep!("### Task 1: A\n\n### Task 2: B\n", { ...NEW, after: ["task-1"] })!;
    expect(
      headed
        .read(tasks)
        .steps.at(-1)!
        .dependsOn.map(({ anchor }) => anchor),
    ).toEqual(["task-1"]);
    expect(
      formatNamed("checklist")!.appendStep!("- [ ] T001 A\n", { ...NEW, after: ["t001"] }),
    ).toBeUndefined();
  });
});
