import { ARTIFACT_KINDS, Failure } from "../../domain/index.ts";
import { CALLER_OPTIONS, PLAN, REQUEST_OPTION, STEP, whoCalls } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { snakeCase } from "../../journal/index.ts";

export const stateArtifactCommand = defineCommand({
  name: "state artifact",
  more: "The summary has at most 500 characters; pipe in longer content.",
  operands: [PLAN, STEP],
  options: {
    kind: { type: "text", value: "KIND", about: `One of ${ARTIFACT_KINDS.join(", ")}` },
    summary: { type: "text", value: "TEXT", about: "What to remember, in a sentence or two" },
    ...CALLER_OPTIONS,
    ...REQUEST_OPTION,
  },
  examples: [
    'pawl state artifact plan.md step-1 --worktree . --kind reviewer_verdict --summary "Approved"',
    "pawl state artifact plan.md step-1 --worktree . --kind architect_strategy --summary Plan < strategy.md",
  ],
  async run(context, values, [plan = "", step = ""]) {
    const { kind, summary } = values;
    if (kind === undefined || summary === undefined) {
      throw new Failure(
        "usage/wrong",
        `state artifact needs --${kind === undefined ? "kind" : "summary"}.`,
        {},
      );
    }
    const pawl = await context.pawl();
    const answer = await pawl.artifact({
      plan,
      step,
      kind,
      summary,
      ...whoCalls(context, values),
      content: await context.stdin(),
      requestId: values["request-id"],
    });
    return {
      data: snakeCase(answer),
      text: (paint) =>
        `${paint.green("Recorded")} ${paint.plain(answer.kind)} on ${paint.bold(answer.anchor)}.`,
    };
  },
});
