import { Failure, shellWord } from "../../domain/index.ts";
import {
  CALLER_OPTIONS,
  PLAN,
  REQUEST_OPTION,
  SEEN_OPTION,
  seenStep,
  STEP,
  whoCalls,
} from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { tookOverLines } from "../text/took-over.ts";
import { snakeCase } from "../../journal/index.ts";

export const stateReleaseCommand = defineCommand({
  name: "state release",
  more: "Takes --worktree if you hold the step, or --force if another worker holds it (for people).",
  operands: [PLAN, STEP],
  options: {
    ...CALLER_OPTIONS,
    force: { type: "flag", about: "Take it from its holder (for people)" },
    reason: { type: "text", value: "TEXT", about: "Why; kept in the journal" },
    ...SEEN_OPTION,
    ...REQUEST_OPTION,
  },
  examples: ["pawl state release plan.md step-1 --worktree ."],
  async run(context, values, [plan = "", step = ""]) {
    const { force = false, reason, "request-id": requestId } = values;
    if (force && values.worktree !== undefined) {
      throw new Failure("usage/wrong", "state release takes --worktree or --force, not both.", {});
    }
    const who = force ? {} : whoCalls(context, values);
    const pawl = await context.pawl();
    const answer = await pawl
      .release({ plan, step, ...who, reason, seen: seenStep(values.seen), requestId })
      .catch(async (error: unknown) => {
        // Agents run what hints name, so only people are shown a way past an owner.
        const isForPeople = !context.isForPrograms && (await pawl.callingAgent()) === undefined;
        throw isForPeople ? withWayOut(error, plan, step) : error;
      });
    return {
      data: snakeCase(answer),
      text: (paint) =>
        [
          `${paint.green("Released")} ${paint.bold(answer.anchor)}; it was held by ${paint.plain(answer.wasClaimedBy ?? "no worker")}.`,
          ...tookOverLines(answer.tookOver, paint),
        ].join("\n"),
    };
  },
});

function withWayOut(error: unknown, plan: string, step: string): unknown {
  if (!(error instanceof Failure) || error.problem !== "claim/not-owner") return error;
  const force = `pawl state release ${shellWord(plan)} ${shellWord(step)} --force`;
  const hint = `Only its owner gives it back. For people: \`${force}\` takes it from them.`;
  return new Failure(error.problem, error.message, error.details, { hint });
}
