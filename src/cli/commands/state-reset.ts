import { PLAN, REQUEST_OPTION, SEEN_OPTION, seenStep, STEP } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { tookOverLines } from "../text/took-over.ts";
import { snakeCase } from "../../journal/index.ts";

export const stateResetCommand = defineCommand({
  name: "state reset",
  more: "For people. Its worker loses the claim; finished items stay ticked for the worktree that finished them. A completed step is refused.",
  operands: [PLAN, STEP],
  options: {
    reason: { type: "text", value: "TEXT", about: "Why; kept in the journal" },
    ...SEEN_OPTION,
    ...REQUEST_OPTION,
  },
  examples: ["pawl state reset plan.md step-1"],
  async run(context, { reason, seen, "request-id": requestId }, [plan = "", step = ""]) {
    const answer = await (
      await context.pawl()
    ).reset({ plan, step, reason, seen: seenStep(seen), requestId });
    return {
      data: { ...snakeCase(answer), reset: true },
      text: (paint) =>
        [
          `${paint.green("Reset")} ${paint.bold(answer.anchor)}; it is ${answer.status} now.`,
          ...tookOverLines(answer.tookOver, paint),
        ].join("\n"),
    };
  },
});
