import { REQUEST_OPTION } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { snakeCase } from "../../journal/index.ts";

export const tellCommand = defineCommand({
  name: "tell",
  more: "For people. The agent that works on the step gets it in its conversation if it can; otherwise the next agent of the step gets it. The answer says which.",
  operands: [
    { name: "session|step", about: "A session (s-…), or a step", required: true },
    { name: "text", about: "What the agent should know", required: true },
  ],
  options: {
    plan: { type: "text", value: "PLAN", about: "The plan of the step, where several have one of that name" },
    ...REQUEST_OPTION,
  },
  examples: ['pawl tell step-1 "Keep the old format readable."'],
  async run(context, { plan, "request-id": requestId }, [to = "", text = ""]) {
    const answer = await (await context.pawl()).tell({ to, text, plan, requestId });
    return {
      data: snakeCase(answer),
      text: (paint) =>
        `${paint.green("Sent")} message ${answer.message} to ${paint.bold(answer.anchor)} of ${paint.plain(answer.planPath)}: ${paint.plain(answer.because)}.`,
    };
  },
});
