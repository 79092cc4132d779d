import { describe, expect, it } from "vitest";
import type { VerifySettings } from "./verify-settings.ts";
import type { PlanItem, PlanStep } from "../domain/plan.ts";
import { canFail } from "./checks.ts";

const stepWith = (more: Partial<PlanStep>): PlanStep => ({
  anchor: "a",
  title: "a",
  line: 1,
  dependsOn: [],
  items: [],
  substeps: [],
  commit: undefined,
  references: undefined,
  body: "",
  ...more,
});

const item: PlanItem = { kind: "task", text: "look", line: 2, box: "open" };
const own = { type: "command", command: "make test", text: "" };

const verify = (more: Partial<VerifySettings>): VerifySettings =>
  ({ runCheckpoints: false, command: undefined, agent: undefined, ...more }) as VerifySettings;

describe("a verification", () => {
  it.each([
    ["by nothing", {}, {}, false],
    ["by a checklist", { items: [item] }, {}, true],
    ["by the checklist of a substep", { substeps: [stepWith({ items: [item] })] }, {}, true],
    ["by a substep, which is ticked itself", { substeps: [stepWith({})] }, {}, true],
    ["by a configured command", {}, { command: ["make"] }, true],
    ["by an agent", {}, { agent: "claude" }, true],
    ["by its own command, which no setting allows", { verification: own }, {}, false],
    ["by its own command", { verification: own }, { runCheckpoints: true }, true],
    [
      "by words of its own",
      { verification: { ...own, command: undefined } },
      { runCheckpoints: true },
      false,
    ],
  ] as const)("%s can fail or not", (_, step, settings, expected) => {
    expect(canFail(stepWith(step), verify(settings))).toBe(expected);
  });
});
