import { plural } from "../../domain/index.ts";
import type { SyncAnswer } from "../../worktrees/index.ts";
import { defineCommand } from "../command.ts";
import { interruptible } from "../interruptible.ts";
import { checkReporter } from "../text/check-reporter.ts";
import type { Paint } from "../text/paint.ts";
import { verificationLine } from "../text/verification-line.ts";
import { snakeCase } from "../../journal/index.ts";

export const worktreeSyncCommand = defineCommand({
  name: "worktree sync",
  more: `For people. Where the base has commits that the plan's branch does not have, both are merged in memory and the check of
pawl.toml runs on exactly that tree, in a clean checkout. Only what passes gets to the plan's branch. A conflict or a check
that fails is named, nothing moves, and the exit code is 4. A run does the same between two steps, unless \`[landing]\` says
\`sync = false\`.`,
  operands: [{ name: "plan", about: "The plan file, or its branch", required: true }],
  options: {
    "dry-run": { type: "flag", about: "Print what would happen and what would be verified; change nothing" },
  },
  examples: ["pawl worktree sync plan.md", "pawl worktree sync plan.md --dry-run"],
  async run(context, { "dry-run": dryRun }, [target = ""]) {
    const pawl = await context.pawl();
    return interruptible(context, async (interruption) => {
      const onEvent = checkReporter(context, "both together");
      const answer = await pawl.syncWorktree({ target, dryRun, interruption, onEvent });
      return { data: snakeCase(answer), text: (paint) => textOf(answer, paint) };
    });
  },
});

function textOf(answer: SyncAnswer, paint: Paint): string {
  const [branch, base] = [paint.bold(answer.branchName), paint.bold(answer.baseBranch)];
  if (answer.upToDate) return `${branch} has everything of ${base} already.`;
  const what = `${plural(answer.commits, "commit")} of ${base}`;
  return [
    answer.synced
      ? `${paint.green("Brought")} ${what} into ${branch} as ${paint.plain((answer.commitHash ?? "").slice(0, 12))}.`
      : `${what} would be brought into ${branch}: ${plural(answer.files.length, "changed file")}, no conflicts.`,
    ...(answer.verification === null ? [] : [verificationLine(answer.verification, paint)]),
  ].join("\n");
}
