import { defineCommand } from "../command.ts";
import { claimedText, lostText, savedText } from "../text/saved-text.ts";
import { snakeCase } from "../../journal/index.ts";

export const worktreeRemoveCommand = defineCommand({
  name: "worktree remove",
  more: `For people. Pawl first saves uncommitted files, and commits that no other branch has, under refs/pawl/, and
prints how to restore each. Files that git ignores are saved only with \`snapshot_ignored = true\` in pawl.toml;
otherwise it prints how many were removed. Pawl refuses to remove a worktree that is in use.`,
  operands: [{ name: "worktree", about: "Its path, or its branch", required: true }],
  options: {
    "delete-branch": { type: "flag", about: "Remove its branch too; unmerged commits are kept" },
    reason: { type: "text", value: "TEXT", about: "Why; kept in the journal" },
  },
  examples: ["pawl worktree remove pawl/plan", "pawl worktree remove .pawl/worktrees/plan --delete-branch"],
  async run(context, { "delete-branch": deleteBranch = false, reason }, [target = ""]) {
    const answer = await (await context.pawl()).removeWorktree({ target, deleteBranch, reason });
    return {
      data: snakeCase(answer),
      text: (paint) => {
        const what = answer.removed
          ? `${paint.green("Removed")} ${paint.bold(answer.worktreePath ?? "")}`
          : `There was no worktree of ${paint.bold(answer.branchName ?? target)} any more`;
        const branch = answer.branchDeleted ? ` and the branch ${paint.plain(answer.branchName ?? "")}` : "";
        const lost = lostText(answer.ignoredFiles, { dryRun: false });
        return [
          `${what}${branch}.`,
          ...lost,
          ...savedText(answer.saved, paint),
          ...claimedText(answer, paint),
        ].join("\n");
      },
    };
  },
});
