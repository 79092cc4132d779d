import { expect, it } from "vitest";
import type { RunPreview } from "../../runs/preview-run.ts";
import { plainPaint } from "./paint.ts";
import { previewText } from "./show-preview.ts";

const PREVIEW: RunPreview = {
  planPath: "plan.md",
  workers: 1,
  workflow: "implement",
  commands: [
    {
      name: "implement",
      type: "implement_spec",
      argv: ["claude", "-p", "--output-format", "stream-json", "a word"],
      env: {},
      permissions: "edits",
      contained: "own",
    },
  ],
  verify: ["npm test"],
  branch: "pawl/plan",
  writesPlan: false,
  steps: [],
};

const linesOf = (part: Partial<RunPreview> = {}): readonly string[] =>
  previewText({ ...PREVIEW, ...part }, plainPaint(80)).split("\n");

it("prints the command line as it is started, options included", () => {
  expect(linesOf()).toContain("  implement  claude -p --output-format stream-json 'a word'");
});

it("prints the variables that the command line is started with in front of it", () => {
  const [command] = PREVIEW.commands;
  const commands = [
    { ...command!, argv: ["opencode", "run"], env: { OPENCODE_PERMISSION: '{"edit":"allow"}' } },
  ];
  expect(linesOf({ commands })).toContain(`  implement  OPENCODE_PERMISSION='{"edit":"allow"}' opencode run`);
});

it("says that the plan's own file changes in the checkout, where it carries the progress", () => {
  expect(linesOf().at(-1)).toBe("Your checkout is not touched, and nothing is merged.");
  expect(linesOf({ writesPlan: true }).at(-1)).toBe(
    "Nothing is merged. In your checkout only plan.md changes: it shows the progress.",
  );
});
