import { PLAN, REQUEST_OPTION, SEEN_OPTION, seenStep, STEP } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { snakeCase } from "../../journal/index.ts";

export const stateRetryCommand = defineCommand({
  name: "state retry",
  more: "For people.",
  operands: [PLAN, STEP],
  options: {
    reason: { type: "text", value: "TEXT", about: "Why; kept in the journal" },
    ...SEEN_OPTION,
    ...REQUEST_OPTION,
  },
  examples: ["pawl state retry plan.md step-1"],
  async run(context, { reason, seen, "request-id": requestId }, [plan = "", step = ""]) {
    const answer = await (
      await context.pawl()
    ).retry({ plan, step, reason, seen: seenStep(seen), requestId });
    return {
      data: { ...snakeCase(answer), retried: true },
      text: (paint) => `${paint.green("Retried")} ${paint.bold(answer.anchor)}; it is ${answer.status} now.`,
    };
  },
});
