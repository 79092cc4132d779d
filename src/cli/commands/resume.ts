import { defineCommand } from "../command.ts";
import { PAGE_BESIDE_OPTIONS, withPage } from "../open-page.ts";
import { amountOf, LIMIT_OPTIONS, timeOf, WAIT_OPTIONS } from "../run-options.ts";
import { reportedRun } from "../reported-run.ts";

export const resumeCommand = defineCommand({
  name: "resume",
  more: `Without an id it resumes the last interrupted session of this machine. Pawl stops what its agents left
running, finishes their commits and recreates a missing worktree from its branch. Then it continues with the
interrupted command, or with the one after the last that finished. Commits of an agent count as work on its step. Pawl
never asks about its own worktrees; if a worktree of yours has changed, it names the changes and does nothing.`,
  operands: [{ name: "session", about: "The session or run", required: false }],
  options: {
    anyway: { type: "flag", about: "Continue even if your own worktree has changed since" },
    ...LIMIT_OPTIONS,
    ...WAIT_OPTIONS,
    ...PAGE_BESIDE_OPTIONS,
  },
  examples: ["pawl resume", "pawl resume s-1f0c --wait"],
  async run(context, values, [id]) {
    const pawl = await context.pawl();
    return withPage(context, values, () =>
      reportedRun(
        context,
        (listeners) =>
          pawl.resume({
            id,
            anyway: values.anyway,
            maxCost: amountOf(values["max-cost"], "--max-cost"),
            maxMinutes: amountOf(values["max-minutes"], "--max-minutes"),
            wait: values.wait,
            maxWaitMs: timeOf(values["max-wait"], "--max-wait"),
            interruption: context.interruption(),
            ...listeners,
          }),
        { hasPage: values.ui },
      ),
    );
  },
});
