import { CALLER_OPTIONS, PLAN, REQUEST_OPTION, STEP, whoCalls } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { snakeCase } from "../snake-case.ts";

/** What a worker does with a started step. */
export const AFTER_START =
  "  next: tick items with `pawl state update`, then `pawl commit` or `state complete`";

export const stateStart = defineCommand({
  name: "state start",
  about: "Begin work on a step you claimed",
  operands: [PLAN, STEP],
  options: { ...CALLER_OPTIONS, ...REQUEST_OPTION },
  examples: ["pawl state start plan.md step-1 --worktree ."],
  async run(context, values, [plan = "", step = ""]) {
    const pawl = await context.pawl();
    const answer = await pawl.start({
      plan,
      step,
      ...whoCalls(context, values),
      requestId: values["request-id"],
    });
    return {
      data: snakeCase(answer),
      text: (paint) => `${paint.green("Started")} ${paint.bold(answer.anchor)}.\n${AFTER_START}`,
    };
  },
});
