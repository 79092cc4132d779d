import { CALLER_OPTIONS, PLAN, REQUEST_OPTION, STEP, whoCalls } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { nextFor } from "../text/next-call.ts";
import { snakeCase } from "../../journal/index.ts";

export const stateStartCommand = defineCommand({
  name: "state start",
  operands: [PLAN, STEP],
  options: { ...CALLER_OPTIONS, ...REQUEST_OPTION },
  examples: ["pawl state start plan.md step-1 --worktree ."],
  async run(context, values, [plan = "", step = ""]) {
    const pawl = await context.pawl();
    const who = whoCalls(context, values);
    const answer = await pawl.start({ plan, step, ...who, requestId: values["request-id"] });
    const address = { plan: answer.planPath, step: answer.anchor, worktree: who.worktree };
    const next = await nextFor(context, address);
    return {
      data: snakeCase(answer),
      text: (paint) => `${paint.green("Started")} ${paint.bold(answer.anchor)}.\n${next(paint)}`,
    };
  },
});
