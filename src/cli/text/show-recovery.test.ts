import { expect, it } from "vitest";
import type { RecoverAnswer } from "../../recovery/recover.ts";
import { plainPaint } from "./paint.ts";
import { recoveryText } from "./show-recovery.ts";

it("says where to look at a step that is with a person already", () => {
  const finding: RecoverAnswer["findings"][number] = {
    rule: "verification-escalated",
    kind: "step",
    subject: "my plan.md#step-1",
    planPath: "my plan.md",
    anchor: "step-1",
    runId: null,
    found: "step-1 awaits a person's review.",
    automatic: null,
    choices: [],
    said: [],
    refused: [],
    steps: ["step-1"],
    weight: "decide",
    actions: ["retry"],
  };
  const answer: RecoverAnswer = { dryRun: false, findings: [finding], repaired: [], open: [finding] };
  expect(recoveryText(answer, plainPaint(80), 0).split("\n")).toEqual([
    "decide step-1 awaits a person's review.",
    "       pawl explain 'my plan.md' step-1",
    "1 finding, 1 decision left.",
  ]);
});
