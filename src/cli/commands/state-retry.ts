import { Failure } from "../../domain/index.ts";
import type { Pawl } from "../../api.ts";
import { PLAN, REQUEST_OPTION, SEEN_OPTION, seenStep, STEP } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { forPeople } from "../text/for-people.ts";
import type { Paint } from "../text/paint.ts";
import { snakeCase } from "../../journal/index.ts";

export const stateRetryCommand = defineCommand({
  name: "state retry",
  more: "For people. The next worker continues the kept work of the step; --fresh starts over, and the kept work stays.",
  operands: [PLAN, { ...STEP, required: false }],
  options: {
    "all-blocked": { type: "flag", about: "Every blocked step of the plan instead of one" },
    fresh: { type: "flag", about: "Start over instead of continuing kept work" },
    reason: { type: "text", value: "TEXT", about: "Why; kept in the journal" },
    ...SEEN_OPTION,
    ...REQUEST_OPTION,
  },
  examples: ["pawl state retry plan.md step-1", "pawl state retry plan.md --all-blocked"],
  async run(context, values, [plan = "", step]) {
    const { reason, fresh, seen, "request-id": requestId, "all-blocked": isAll = false } = values;
    if (isAll === (step !== undefined))
      throw new Failure("usage/wrong", "state retry takes a step, or --all-blocked for all of them.", {});
    const pawl = await context.pawl();
    if (isAll) {
      const answer = await pawl.retryBlocked({ plan, reason, fresh });
      return {
        data: snakeCase(answer),
        text: (paint) =>
          answer.retried.length === 0
            ? "No step is blocked."
            : answer.retried.map((one) => retriedText(one, paint)).join("\n"),
      };
    }
    const request = { plan, step: step!, reason, fresh, seen: seenStep(seen), requestId };
    const answer = await pawl.retry(request);
    return {
      data: { ...snakeCase(answer), retried: true },
      text: (paint) => retriedText(answer, paint),
    };
  },
});

type Retried = Awaited<ReturnType<Pawl["retry"]>>;

function retriedText({ anchor, status, kept }: Retried, paint: Paint): string {
  const said = `${paint.green("Retried")} ${paint.bold(anchor)}; it is ${status} now.`;
  if (kept === undefined) return said;
  const what = kept.extent === "part" ? "Work" : "Implementation";
  return `${said}\n  ${forPeople(`${what} from ${kept.at} kept: the next run continues it; --fresh starts over.`, Date.now())}`;
}
