import { fromInstant } from "../../domain/index.ts";
import { snakeCase } from "../../journal/index.ts";
import type { UnverifiedMergeView } from "../../worktrees/index.ts";
import { defineCommand } from "../command.ts";
import type { Paint } from "../text/paint.ts";
import { worktreesText } from "../text/show-worktrees.ts";
import { relativeTime } from "../text/times.ts";

export const worktreeListCommand = defineCommand({
  name: "worktree list",
  operands: [],
  options: { size: { type: "flag", about: "Also print the size of each, which takes a while" } },
  examples: ["pawl worktree list", "pawl worktree list --size"],
  async run(context, { size = false }) {
    const answer = await (await context.pawl()).listWorktrees({ size });
    return {
      data: snakeCase(answer),
      text: (paint) => {
        const problem = answer.stateProblem === null ? [] : [paint.yellow(answer.stateProblem)];
        const unverified = answer.unverifiedMerges.slice(0, MOST_UNVERIFIED).map((one) => lineOf(one, paint));
        return [worktreesText(answer.worktrees, context.cwd, paint), ...unverified, ...problem].join("\n");
      },
    };
  },
});

/** More are in `--json`. */
const MOST_UNVERIFIED = 5;

const lineOf = (
  { at, branchName, baseBranch, commitHash, check, because }: UnverifiedMergeView,
  paint: Paint,
): string =>
  `${paint.yellow("NOT VERIFIED")} ${paint.plain(`${baseBranch} got ${branchName} as ${commitHash.slice(0, 12)} without ${check ?? "a check"}`)} ${paint.dim(relativeTime(fromInstant(at) - Date.now()))}: ${paint.plain(because)}`;
