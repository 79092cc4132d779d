import { sizeText } from "../text/size-text.ts";
import { fromInstant } from "../../domain/index.ts";
import type { UnverifiedMergeView, WorktreeView } from "../../worktrees/index.ts";
import { defineCommand } from "../command.ts";
import { nearPath } from "../text/holder.ts";
import { foldedColumns } from "../text/layout.ts";
import { relativeTime } from "../text/times.ts";
import type { Paint } from "../text/paint.ts";
import { snakeCase } from "../../journal/index.ts";

export const worktreeListCommand = defineCommand({
  name: "worktree list",
  operands: [],
  options: { size: { type: "flag", about: "Add up the files of each, which takes a while" } },
  examples: ["pawl worktree list", "pawl worktree list --size"],
  async run(context, { size = false }) {
    const answer = await (await context.pawl()).listWorktrees({ size });
    return {
      data: snakeCase(answer),
      text: (paint) => {
        const rows = [
          HEADER.map((name) => paint.dim(name)),
          ...answer.worktrees.map((view) => row(view, context.cwd, paint)),
        ];
        const heads = withoutEmpty(rows.map((cells) => cells.slice(0, NAMING)));
        const tails = withoutEmpty(rows.map((cells) => cells.slice(NAMING)));
        const problem = answer.stateProblem === null ? [] : [paint.yellow(answer.stateProblem)];
        const unverified = answer.unverifiedMerges.slice(0, MOST_UNVERIFIED).map((one) => lineOf(one, paint));
        return [foldedColumns(heads, tails, paint.columns), ...unverified, ...problem].join("\n");
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

const HEADER = ["PATH", "BRANCH", "PLAN", "STATE", "AHEAD", "FILES", "SIZE", "ACTIVE"] as const;
/** So many cells of a row say which worktree it is; the others say how it is. */
const NAMING = 3;

/** A column in which nothing stands but its name only takes room. */
const withoutEmpty = (rows: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  rows.map((cells) => cells.filter((_, index) => rows.slice(1).some((other) => other[index] !== "")));

function row(view: WorktreeView, cwd: string, paint: Paint): readonly string[] {
  return [
    paint.bold(nearPath(view.worktreePath, cwd)),
    paint.cyan(view.branchName ?? (view.head === null ? "" : view.head.slice(0, 10))),
    paint.plain(view.planPath ?? (view.isMain ? "main checkout" : "")),
    stateText(view, paint),
    view.ahead === null ? "" : `↑${view.ahead} ↓${view.behind ?? 0}`,
    view.dirtyFiles === null || view.dirtyFiles === 0 ? "" : paint.yellow(`${view.dirtyFiles} dirty`),
    view.sizeBytes === null ? "" : sizeText(view.sizeBytes),
    view.lastActivityAt === null
      ? ""
      : paint.dim(relativeTime(fromInstant(view.lastActivityAt) - Date.now())),
  ];
}

function stateText(view: WorktreeView, paint: Paint): string {
  if (view.missing) return paint.red("folder gone");
  if (view.problem !== null) return paint.red("not usable");
  if (view.state === "interrupted") {
    const ended = view.session?.interruptedAt;
    return paint.yellow(`⚠ interrupted${ended ? ` ${relativeTime(fromInstant(ended) - Date.now())}` : ""}`);
  }
  if (view.state === "running") return paint.green("running");
  if (view.state === "held") return paint.green(`holds ${view.held.map(({ anchor }) => anchor).join(", ")}`);
  return view.operation === null ? "" : paint.yellow(`in a ${view.operation}`);
}
