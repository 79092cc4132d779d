import { fromInstant } from "../../domain/index.ts";
import type { WorktreeView } from "../../worktrees/index.ts";
import { nearPath } from "./holder.ts";
import { columns, displayWidth, foldedColumns, shorten } from "./layout.ts";
import { nameWidth } from "./name-column.ts";
import type { Paint } from "./paint.ts";
import { sizeText } from "./size-text.ts";
import { relativeTime } from "./times.ts";

/** A table where it fits; else some lines for each worktree, because a terminal would break every row anywhere. */
export function worktreesText(worktrees: readonly WorktreeView[], cwd: string, paint: Paint): string {
  const rows = [
    HEADER.map((name) => paint.dim(name)),
    ...worktrees.map((view) => [...naming(view, cwd, paint), ...standing(view, paint)]),
  ];
  const heads = withoutEmpty(rows.map((cells) => cells.slice(0, NAMING)));
  const tails = withoutEmpty(rows.map((cells) => cells.slice(NAMING)));
  const fits = columns(heads)
    .split("\n")
    .every((line) => displayWidth(line) <= paint.columns);
  return fits
    ? foldedColumns(heads, tails, paint.columns)
    : worktrees.map((view) => card(view, cwd, paint)).join("\n");
}

function card(view: WorktreeView, cwd: string, paint: Paint): string {
  const [, branch, plan] = nameParts(view, cwd);
  const half = Math.floor((paint.columns - INDENT.length - SEPARATOR.length) / 2);
  const [short, other] = [branch, plan].map((part) => shorten(part, half));
  return [
    paint.bold(shorten(nearPath(view.worktreePath, cwd), paint.columns)),
    [paint.cyan(short!), paint.plain(other!)],
    standing(view, paint),
  ]
    .map((line) =>
      typeof line === "string" ? line : INDENT + line.filter((part) => part !== "").join(SEPARATOR),
    )
    .filter((line) => line.trim() !== "")
    .join("\n");
}

const INDENT = "    ";
const SEPARATOR = " · ";

const HEADER = ["PATH", "BRANCH", "PLAN", "STATE", "AHEAD", "FILES", "SIZE", "ACTIVE"] as const;
/** So many cells of a row say which worktree it is; the others say how it is. */
const NAMING = 3;

/** A column in which nothing stands but its name only takes room. */
const withoutEmpty = (rows: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  rows.map((cells) => cells.filter((_, index) => rows.slice(1).some((other) => other[index] !== "")));

/** Which worktree it is: path, branch, plan. */
const nameParts = (view: WorktreeView, cwd: string): readonly [string, string, string] => [
  nearPath(view.worktreePath, cwd),
  view.branchName ?? (view.head === null ? "" : view.head.slice(0, 10)),
  view.planPath ?? (view.isMain ? "main checkout" : ""),
];

function naming(view: WorktreeView, cwd: string, paint: Paint): readonly string[] {
  const [path, branch, plan] = nameParts(view, cwd);
  return [paint.bold(path), paint.cyan(branch), paint.plain(plan)];
}

/** How it is. */
const standing = (view: WorktreeView, paint: Paint): readonly string[] => [
  stateText(view, paint),
  view.ahead === null ? "" : `↑${view.ahead} ↓${view.behind ?? 0}`,
  view.dirtyFiles === null || view.dirtyFiles === 0 ? "" : paint.yellow(`${view.dirtyFiles} dirty`),
  view.sizeBytes === null ? "" : sizeText(view.sizeBytes),
  view.lastActivityAt === null ? "" : paint.dim(relativeTime(fromInstant(view.lastActivityAt) - Date.now())),
];

function stateText(view: WorktreeView, paint: Paint): string {
  if (view.missing) return paint.red("folder gone");
  if (view.problem !== null) return paint.red("not usable");
  if (view.state === "interrupted") {
    const ended = view.session?.interruptedAt;
    return paint.yellow(`⚠ interrupted${ended ? ` ${relativeTime(fromInstant(ended) - Date.now())}` : ""}`);
  }
  if (view.state === "running") return paint.green("running");
  if (view.state === "held")
    return paint.green(
      `holds ${view.held.map(({ anchor }) => shorten(anchor, nameWidth(paint.columns))).join(", ")}`,
    );
  return view.operation === null ? "" : paint.yellow(`in a ${view.operation}`);
}
