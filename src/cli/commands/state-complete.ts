import { shellWord } from "../../domain/index.ts";
import { CALLER_OPTIONS, PLAN, REQUEST_OPTION, STEP, whoCalls } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { nextAfter } from "../text/next-call.ts";
import { snakeCase } from "../../journal/index.ts";

const unknownCommit = (commit: string) => ({
  code: "W003",
  name: "commit/unknown",
  severity: "warning" as const,
  message: `There is no commit ${commit} in this clone; the step is completed all the same.`,
  hint: "If it was made elsewhere, bring it here with `git fetch`; `pawl commit` records the right one for you.",
});

export const stateCompleteCommand = defineCommand({
  name: "state complete",
  more: `Every item must be completed or deferred, and every substep completed. --force skips that; it needs a reason,
which stays visible on the step. A commit that Pawl did not make is recorded without a signature: if the database is
lost, \`pawl state reconcile\` accepts only commits of \`pawl commit\` and \`pawl run\` as proof.`,
  operands: [PLAN, STEP],
  options: {
    ...CALLER_OPTIONS,
    commit: {
      type: "text",
      value: "COMMIT",
      about: "The commit that holds the work: a hash, HEAD, a branch",
    },
    force: { type: "text", value: "REASON", about: "Complete it even if something is open (for people)" },
    ...REQUEST_OPTION,
  },
  examples: [
    "pawl state complete plan.md step-1 --worktree . --commit HEAD",
    'pawl state complete plan.md step-2 --worktree . --force "tests moved to step-3"',
  ],
  async run(context, values, [plan = "", step = ""]) {
    const pawl = await context.pawl();
    const who = whoCalls(context, values);
    const answer = await pawl.complete({
      plan,
      step,
      ...who,
      commit: values.commit,
      forceReason: values.force,
      requestId: values["request-id"],
    });
    const next = await nextAfter(context, {
      plan: answer.planPath,
      step: answer.anchor,
      worktree: who.worktree,
    });
    return {
      data: snakeCase(answer),
      issues: answer.commitKnown === false ? [unknownCommit(answer.commit ?? "")] : [],
      text: (paint) => {
        const line = `${paint.green("Completed")} ${paint.bold(answer.anchor)}${answer.forced ? paint.yellow(" by force") : ""}.`;
        if (!answer.allStepsCompleted) return `${line}\n${next(paint)}`;
        const merge = `pawl worktree merge ${paint.plain(shellWord(answer.planPath))}`;
        return `${line}\n${paint.green("All steps are completed.")}\n  next: ${merge}, where the plan has a branch`;
      },
    };
  },
});
