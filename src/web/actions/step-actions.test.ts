import { describe, expect, it } from "vitest";
import type { StepLineView } from "../../views/index.ts";
import type { PageContext } from "../page-context.ts";
import { actionNamed, actionSubject } from "./index.ts";
import { choicesFor } from "./step-actions.ts";

const blocked = {
  anchor: "step-1",
  title: "Dig",
  status: "blocked",
  lane: "stopped",
  claim: 3,
  claimedBy: null,
  sessionId: null,
  parentAnchor: null,
  blockReason: "verification_escalated",
} as unknown as StepLineView;

describe("what is offered for a blocked step", () => {
  it("is to verify again where its checks failed", () => {
    expect(choicesFor(blocked)[0]).toBe("verify");
  });

  it("is to redo it where it conflicts with what landed, and never to verify what passes anyway", () => {
    const choices = choicesFor({ ...blocked, blockReason: "merge_conflict" });
    expect(choices.slice(0, 2)).toEqual(["redo", "merged"]);
    expect(choices).not.toContain("verify");
  });
});

it("a retry sends its hint before the step is handed out again", async () => {
  const asked: (readonly string[])[] = [];
  const context = {
    pawl: { stepLines: async () => ({ steps: [blocked] }) },
    jobs: { ask: async (args: readonly string[]) => (asked.push(args), { data: { ok: true } }) },
    operand: (plan: string) => `/repo/${plan}`,
  } as unknown as PageContext;
  const given = { plan: "plan.md", step: "step-1", hint: "Count in cents." } as Record<string, string>;
  const subject = actionSubject((name) => given[name]);
  const { fields, version } = await actionNamed("retry").preview(context, subject);
  expect(fields?.map(({ name }) => name)).toEqual(["hint"]);
  await actionNamed("retry").act(context, subject, { version, requestId: "r-1", reason: undefined });
  expect(asked.map(([verb]) => verb)).toEqual(["tell", "state"]);
  expect(asked[0]).toEqual([
    "tell",
    "--plan=/repo/plan.md",
    "--request-id=r-1-hint",
    "--",
    "step-1",
    "Count in cents.",
  ]);
});
