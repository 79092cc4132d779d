import { PLAN, REQUEST_OPTION, SEEN_OPTION, seenStep, STEP } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { snakeCase } from "../../journal/index.ts";

export const stateReopenCommand = defineCommand({
  name: "state reopen",
  more: "For people. Steps that depend on it wait again. A step is reopened with its substeps, a substep with its step.",
  operands: [PLAN, STEP],
  options: {
    reason: { type: "text", value: "TEXT", about: "Why; needed, and kept on the step" },
    ...SEEN_OPTION,
    ...REQUEST_OPTION,
  },
  examples: ['pawl state reopen plan.md step-1 --reason "the fix was reverted"'],
  async run(context, { reason, seen, "request-id": requestId }, [plan = "", step = ""]) {
    const answer = await (
      await context.pawl()
    ).reopen({ plan, step, reason, seen: seenStep(seen), requestId });
    return {
      data: { ...snakeCase(answer), reopened: true },
      text: (paint) => `${paint.green("Reopened")} ${paint.bold(answer.anchor)}; it is ${answer.status} now.`,
    };
  },
});
