import { plural } from "../../domain/index.ts";
import { PLAN } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { snakeCase } from "../../journal/index.ts";

export const worktreeCreateCommand = defineCommand({
  name: "worktree create",
  more: `Calling it again finds the same worktree. If its folder is gone, Pawl recreates it from its branch. Ignored
files that \`.worktreeinclude\` names are copied from the main checkout, then \`worktree_setup\` of pawl.toml runs
once. It also saves the plan as state; if that fails, the worktree still exists.`,
  operands: [PLAN],
  options: {
    base: {
      type: "text",
      value: "BRANCH",
      about: "What a new branch starts from (base_branch of pawl.toml, else the main checkout's branch)",
    },
    name: { type: "text", value: "NAME", about: "Another name than the plan's, for one more worker" },
  },
  examples: ["pawl worktree create plan.md", "pawl worktree create plan.md --base main --name plan-w2"],
  async run(context, { base, name }, [plan = ""]) {
    const answer = await (await context.pawl()).createWorktree({ plan, base, name });
    return {
      data: snakeCase(answer),
      text: (paint) =>
        [
          `${paint.green(answer.reused ? "Found" : "Made")} ${paint.bold(answer.worktreePath)}`,
          `  branch ${paint.plain(answer.branchName)}, from ${paint.plain(answer.baseBranch)}`,
          `  plan   ${paint.plain(answer.planPath)}, ${plural(answer.totalSteps, "step")}`,
          ...answer.warnings.map((warning) => `  ${paint.yellow("warning")} ${paint.plain(warning)}`),
        ].join("\n"),
    };
  },
});
