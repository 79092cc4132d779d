import { CALLER_OPTIONS, PLAN, REQUEST_OPTION, STEP, whoCalls } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { snakeCase } from "../snake-case.ts";

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
      text: (paint) => `${paint.green("Started")} ${paint.bold(answer.anchor)}.`,
    };
  },
});
