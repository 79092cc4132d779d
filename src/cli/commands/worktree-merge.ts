import { Failure, plural } from "../../domain/index.ts";
import type { MergeAnswer } from "../../worktrees/index.ts";
import { defineCommand } from "../command.ts";
import { interruptible } from "../interruptible.ts";
import { paragraph } from "../text/paragraph.ts";
import type { Paint } from "../text/paint.ts";
import { verificationLine } from "../text/verification-line.ts";
import { checkReporter } from "../text/check-reporter.ts";
import { snakeCase } from "../../journal/index.ts";

export const worktreeMergeCommand = defineCommand({
  name: "worktree merge",
  more: `For people. A trial merge runs first; if there are conflicts, it names them and changes nothing. Where the base is checked
out, files that you changed there must not be among those that the merge writes. Hooks and signing work as always.
Where pawl.toml has \`command\` in \`[verify]\`, it runs on exactly the tree that the base gets, in a clean checkout, before the
base moves; a tree that has passed before is not checked again. When it fails, nothing moves and the exit code is 1.`,
  operands: [{ name: "plan", about: "The plan file, or the branch", required: true }],
  options: {
    squash: { type: "flag", about: "One commit that keeps the trailers of all" },
    "ff-only": { type: "flag", about: "Only when the base has no commits of its own since" },
    into: { type: "text", value: "BRANCH", about: "Another base than the one it was made from" },
    "dry-run": { type: "flag", about: "Print what would happen and what would be verified; change nothing" },
    unverified: {
      type: "text",
      value: "REASON",
      about: "Merge without the check of pawl.toml; the reason stays in the journal and in `worktree list`",
    },
    "if-at": {
      type: "text",
      value: "BRANCH:BASE",
      about: "Only while both are at these commits",
      hidden: true,
    },
  },
  examples: [
    "pawl worktree merge plan.md",
    "pawl worktree merge plan.md --dry-run",
    "pawl worktree merge pawl/plan --squash --into main",
  ],
  async run(context, values, [target = ""]) {
    const { squash, "ff-only": ffOnly, into, "dry-run": dryRun, unverified, "if-at": ifAt } = values;
    if (unverified?.trim() === "") throw new Failure("usage/wrong", "--unverified needs a reason.", {});
    const [branchTip = "", baseTip = ""] = ifAt?.split(":") ?? [];
    const seen = ifAt === undefined ? undefined : { branchTip, baseTip };
    const pawl = await context.pawl();
    return interruptible(context, async (interruption) => {
      const onEvent = checkReporter(context, "before the base moves");
      const request = { target, squash, ffOnly, into, dryRun, unverified, seen, interruption, onEvent };
      const answer = await pawl.mergeWorktree(request);
      return { data: snakeCase(answer), text: (paint) => textOf(answer, dryRun === true, paint) };
    });
  },
});

type Merged = MergeAnswer & { readonly statusCommit?: string };

function textOf(answer: Merged, isDry: boolean, paint: Paint): string {
  const [branch, base] = [paint.bold(answer.branchName), paint.bold(answer.baseBranch)];
  const commit = answer.commitHash === null ? "" : ` as ${paint.plain(answer.commitHash.slice(0, 12))}`;
  const isNew = answer.merged || isDry;
  const first = answer.alreadyMerged
    ? `${base} has everything of ${branch} already.`
    : answer.merged
      ? `${paint.green("Merged")} ${branch} into ${base}${commit}.`
      : `${branch} would be merged into ${base}: ${plural(answer.files.length, "changed file")}, no conflicts.`;
  return [
    first,
    ...(isNew && answer.steps.length > 0
      ? [`  steps: ${paragraph(answer.steps.join(", "), 9, paint.columns)}`]
      : []),
    ...(answer.statusCommit === undefined
      ? []
      : [`  status: committed as ${paint.plain(answer.statusCommit.slice(0, 12))}`]),
    ...(answer.verification === null ? [] : [verificationLine(answer.verification, paint)]),
    ...answer.warnings.map(
      (warning) => `  ${paint.yellow("warning")} ${paragraph(warning, 10, paint.columns)}`,
    ),
  ].join("\n");
}
