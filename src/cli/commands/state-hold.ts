import { shellWord } from "../../domain/index.ts";
import { PLAN, REQUEST_OPTION, SEEN_OPTION, seenStep, STEP } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { tookOverLines } from "../text/took-over.ts";
import { snakeCase } from "../../journal/index.ts";

export const stateHoldCommand = defineCommand({
  name: "state hold",
  more: "For people. The worker that holds it can no longer change it. A substep on hold puts its step on hold. `pawl state retry` makes it claimable again.",
  operands: [PLAN, STEP],
  options: {
    reason: { type: "text", value: "TEXT", about: "Why; kept in the journal" },
    ...SEEN_OPTION,
    ...REQUEST_OPTION,
  },
  examples: ["pawl state hold plan.md step-1"],
  async run(context, { reason, seen, "request-id": requestId }, [plan = "", step = ""]) {
    const answer = await (await context.pawl()).hold({ plan, step, reason, seen: seenStep(seen), requestId });
    return {
      data: { ...snakeCase(answer), held: true },
      text: (paint) => {
        const retry = `pawl state retry ${shellWord(answer.planPath)} ${shellWord(answer.anchor)}`;
        return [
          `${paint.green("Put on hold")} ${paint.bold(answer.anchor)}.`,
          `  release the hold with: ${paint.plain(retry)}`,
          ...tookOverLines(answer.tookOver, paint),
        ].join("\n");
      },
    };
  },
});
