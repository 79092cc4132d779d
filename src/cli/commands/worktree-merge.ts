import { defineCommand } from "../command.ts";
import { paragraph } from "../text/paragraph.ts";
import { snakeCase } from "../../journal/index.ts";

export const worktreeMergeCommand = defineCommand({
  name: "worktree merge",
  more: `For people. The merge is tried in memory first; conflicts are named and nothing is touched. Where the base is checked
out, files that you changed there must not be among those that the merge writes. Hooks and signing work as always.`,
  operands: [{ name: "plan", about: "The plan file, or the branch", required: true }],
  options: {
    squash: { type: "flag", about: "One commit that keeps the trailers of all" },
    "ff-only": { type: "flag", about: "Only when the base has no commits of its own since" },
    into: { type: "text", value: "BRANCH", about: "Another base than the one it was made from" },
  },
  examples: ["pawl worktree merge plan.md", "pawl worktree merge pawl/plan --squash --into main"],
  async run(context, { squash, "ff-only": ffOnly, into }, [target = ""]) {
    const answer = await (await context.pawl()).mergeWorktree({ target, squash, ffOnly, into });
    return {
      data: snakeCase(answer),
      text: (paint) => {
        const [branch, base] = [paint.bold(answer.branchName), paint.bold(answer.baseBranch)];
        const commit = answer.commitHash === null ? "" : ` as ${paint.plain(answer.commitHash.slice(0, 12))}`;
        return [
          answer.merged
            ? `${paint.green("Merged")} ${branch} into ${base}${commit}.`
            : `${base} has everything of ${branch} already.`,
          ...(answer.merged && answer.steps.length > 0
            ? [`  steps: ${paragraph(answer.steps.join(", "), 9, paint.columns)}`]
            : []),
          ...answer.warnings.map(
            (warning) => `  ${paint.yellow("warning")} ${paragraph(warning, 10, paint.columns)}`,
          ),
        ].join("\n");
      },
    };
  },
});
