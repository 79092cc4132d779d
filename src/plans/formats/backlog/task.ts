import type { FoundStatus, PlanItem, PlanStep } from "../../../domain/index.ts";
import { quote, type Report } from "../diagnostics.ts";
import { type DocumentBox, type MarkdownDocument, scanMarkdown } from "../markdown/document.ts";
import { frontMatter, type FrontField } from "../markdown/front-matter.ts";
import { lineStarts, tickOf } from "../markdown/ticks.ts";
import { titleLine } from "../plan-words.ts";
import { shownStatus, statusNamed, THREE_STATUSES } from "../shown-status.ts";
import { type Splice, splice } from "../../../platform/json/index.ts";
import type { StepState } from "../plan-format.ts";

/** A task file of Backlog.md. */
export interface BacklogTask {
  readonly file: string;
  readonly id: string;
  readonly document: MarkdownDocument;
  readonly fields: ReadonlyMap<string, FrontField>;
  readonly status: FoundStatus;
  readonly needs: readonly string[];
  readonly priority: number;
}

const STATUSES: ReadonlyMap<string, FoundStatus> = new Map([
  ["to do", "pending"],
  ["todo", "pending"],
  ["backlog", "pending"],
  ["in progress", "in_progress"],
  ["review", "awaiting_verification"],
  ["in review", "awaiting_verification"],
  ["done", "completed"],
  ["blocked", "blocked"],
  ["draft", "on_hold"],
  ["on hold", "on_hold"],
]);

/** Statuses beyond these three are a matter of the project's settings, so none is written. */
const WORDS: Readonly<Partial<Record<FoundStatus, string>>> = {
  pending: "To Do",
  in_progress: "In Progress",
  completed: "Done",
};

const PRIORITIES = ["high", "medium", "low"];

/** Undefined for what is no task file. */
export function taskIn(file: string, text: string, report: Report): BacklogTask | undefined {
  const document = scanMarkdown(text);
  const fields = frontMatter(document);
  const id = fields.get("id")?.value;
  if (id === undefined || id === "" || !fields.has("status")) return undefined;
  const status = fields.get("status")!;
  const known = statusNamed(STATUSES, status.value);
  if (known === undefined)
    report(
      "plan/unknown-status",
      { ...(file === "" ? {} : { file }), line: status.line + 1, column: status.start + 1 },
      () => `${quote(id)} has the status ${quote(status.value)}.`,
    );
  const rank = PRIORITIES.indexOf(fields.get("priority")?.value.toLowerCase() ?? "medium");
  return {
    file,
    id,
    document,
    fields,
    status: known ?? "on_hold",
    needs: fields.get("dependencies")?.list ?? [],
    priority: rank === -1 ? 1 : rank,
  };
}

export const backlogKey = (id: string): string => id.trim().toLowerCase();

const itemsOf = ({ document }: BacklogTask): readonly PlanItem[] =>
  document.boxes.map(({ text, line, state }) => ({
    kind: "task",
    text: text.replace(/^#\d+\s+/, ""),
    line: line + 1,
    box: state,
  }));

export const titleOf = ({ fields, id }: BacklogTask): string => titleLine(fields.get("title")?.value ?? id);

/** What stands below the front matter, without the marks of Backlog.md's sections. */
export function bodyOf({ document }: BacklogTask): string {
  const start = document.hidden.indexOf(0);
  return document.lines
    .slice(start === -1 ? document.lines.length : start)
    .filter((line) => !/^<!-- (?:AC|DOD|SECTION:[A-Z_]+):(?:BEGIN|END) -->$/.test(line.trim()))
    .join("\n")
    .trim();
}

export function stepOf(
  task: BacklogTask,
  anchor: string,
  dependsOn: PlanStep["dependsOn"],
  isUnread: boolean,
): PlanStep {
  const { fields, status, file } = task;
  return {
    anchor,
    title: titleOf(task),
    line: (fields.get("id")?.line ?? 0) + 1,
    dependsOn,
    items: itemsOf(task),
    substeps: [],
    commit: undefined,
    references: file === "" ? undefined : file,
    body: bodyOf(task),
    progress: {
      status: isUnread && status !== "completed" ? "blocked" : status,
      reason: isUnread && status !== "completed" ? "dependency_unread" : undefined,
      note: undefined,
      verificationAttempts: 0,
      updatedAt: undefined,
    },
  };
}

/** The file with the status and the boxes as the store has them; undefined where nothing changes. */
export function textWith(task: BacklogTask, text: string, state: StepState): string | undefined {
  const starts = lineStarts(text);
  const tick = tickOf(text);
  const field = task.fields.get("status")!;
  const wanted = shownStatus(state, task.status, THREE_STATUSES);
  const word = wanted && WORDS[wanted];
  const isDone = state.status === "completed" && state.completedAt !== null;
  const byOrdinal = new Map(state.items.map(({ ordinal, status }) => [ordinal, status]));
  const isStale = (box: DocumentBox, ordinal: number) =>
    isDone
      ? byOrdinal.get(ordinal) === "completed" && box.state === "open"
      : state.isReopened && byOrdinal.get(ordinal) === "open" && box.state === "ticked";
  const changes: Splice[] = [
    ...(word === undefined
      ? []
      : [
          {
            start: starts[field.line]! + field.start,
            end: starts[field.line]! + field.end,
            text: task.document.lines[field.line]!.slice(0, field.start).endsWith(":") ? ` ${word}` : word,
          },
        ]),
    ...task.document.boxes.filter(isStale).map(({ line, at }) => {
      const start = starts[line]! + at + 1;
      return { start, end: start + 1, text: isDone ? tick : " " };
    }),
  ];
  return changes.length === 0 ? undefined : splice(text, changes);
}
