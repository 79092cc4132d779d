import type { CleanAnswer } from "../../worktrees/index.ts";
import { defineCommand } from "../command.ts";
import { durationMs } from "../duration.ts";
import type { Paint } from "../text/paint.ts";
import { claimedText, lostText, savedText } from "../text/saved-text.ts";
import { snakeCase } from "../../journal/index.ts";

export const worktreeCleanCommand = defineCommand({
  name: "worktree clean",
  more: `For people. Removes only worktrees that Pawl made for a plan and that are not in use. With several filters a
worktree must match all of them; without any, it prints what each would choose and removes nothing. Pawl saves unsaved
work first, as \`pawl worktree remove\` does.`,
  operands: [],
  options: {
    interrupted: { type: "flag", about: "Those whose last session was interrupted" },
    merged: { type: "flag", about: "Those whose work is in the base: merged, rebased or squashed" },
    orphaned: { type: "flag", about: "Those whose folder or plan is gone" },
    "older-than": { type: "text", value: "TIME", about: "Those in which nothing happened for 12h, 7d, 2w …" },
    "delete-branch": { type: "flag", about: "Remove their branches too; unmerged commits are kept" },
    "dry-run": { type: "flag", about: "Print what would be removed and saved, and do nothing" },
  },
  examples: [
    "pawl worktree clean",
    "pawl worktree clean --merged --dry-run",
    "pawl worktree clean --older-than 14d",
  ],
  async run(context, values) {
    const {
      interrupted,
      merged,
      orphaned,
      "delete-branch": deleteBranch,
      "dry-run": dryRun = false,
    } = values;
    const age = values["older-than"];
    const olderThanMs = age === undefined ? undefined : durationMs(age, "--older-than");
    const request = { interrupted, merged, orphaned, olderThanMs, deleteBranch, dryRun };
    const answer = await (await context.pawl()).cleanWorktrees(request);
    return {
      data: snakeCase(answer),
      text: (paint) => (answer.filters.length === 0 ? overview(answer, paint) : report(answer, paint)),
    };
  },
});

const overview = ({ choices }: CleanAnswer, paint: Paint): string =>
  [
    "Nothing was removed. Each filter would choose:",
    ...Object.entries(choices).flatMap(([filter, paths]) => [
      `  --${filter}${filter === "older-than" ? " 14d" : ""}: ${paths.length === 0 ? "nothing" : ""}`.trimEnd(),
      ...paths.map((path) => `    ${paint.plain(path)}`),
    ]),
  ].join("\n");

function report({ dryRun, removed, kept }: CleanAnswer, paint: Paint): string {
  const lines = removed.flatMap((one) => [
    `${dryRun ? "Would remove" : paint.green("Removed")} ${paint.bold(one.worktreePath)}: ${paint.plain(one.because)}`,
    ...(dryRun
      ? [`  would keep ${one.dirtyFiles} uncommitted files and ${one.ahead} commits of its own`]
      : []),
    ...lostText(one.ignoredFiles, { dryRun }),
    ...savedText(one.saved, paint),
    ...claimedText(one, paint),
  ]);
  for (const { worktreePath, reason } of kept)
    lines.push(`Kept ${paint.bold(worktreePath)}: ${paint.plain(reason)}`);
  return lines.length === 0 ? "No worktree matches." : lines.join("\n");
}
