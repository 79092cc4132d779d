import type { Dependency, LeftOut, Plan, PlanItem, PlanStep, StepProgress } from "../../../domain/index.ts";
import { quote, type Report } from "../diagnostics.ts";
import type { DocumentBox, MarkdownDocument } from "../markdown/document.ts";
import { nameSteps } from "../name-steps.ts";
import { anchorFor, markdownTitle, titleLine } from "../plan-words.ts";
import type { LineRange } from "../markdown/line-range.ts";
import {
  checksIn,
  checkSections,
  commandIn,
  labelledChecks,
  leftOutside,
  sectionEntries,
} from "./check-sections.ts";
import { taskDependencies } from "./dependencies.ts";
import { DROPPED, type HeadedOutline, type HeadedTask } from "./outline.ts";
import { type StatedStatus, statusLineOf } from "./status-line.ts";
import { isTaskHeading } from "./task-heading.ts";

const COMMITTED = "Pawl commits each step, so committing is no item of it.";

/** A line of a task that is something to do in it. */
export interface TaskItem extends PlanItem {
  /** Undefined for a bold step or a heading, which has no place for a tick. */
  readonly source: DocumentBox | undefined;
}

/** `**Step 1: Write the failing test**` alone on its line. */
const BOLD_STEP = /^\*\*(step\s+\d[^*]*)\*\*:?\s*$/i;

/** A micro-step that only says to commit. */
export const isCommit = (text: string): boolean =>
  /commit/i.test(text) &&
  /^(?:git\s+)?commit(?:\s+(?:and push|(?:the |your |all )?(?:changes?|work|code|everything|progress|task)))?\s*(?:[.!]|[:—–-]\s*`.*|\(.*\))?$/i.test(
    bareWords(text),
  );

const bareWords = (text: string): string =>
  text
    .replaceAll("**", "")
    .replace(/^step\s+[\d.]+[a-z]?\s*[:.)—–-]\s*/i, "")
    .trim();

/** The items of a task, in the order of its lines. Bold steps count where there is no box. */
export function itemsOf({ lines, hidden }: MarkdownDocument, task: HeadedTask): readonly TaskItem[] {
  const items: TaskItem[] = task.boxes
    .filter(({ text }) => !isCommit(text))
    .map((box) => ({ kind: "task", text: box.text, line: box.line + 1, box: box.state, source: box }));
  for (const { heading, says } of task.innerSteps)
    if (!isCommit(says.title))
      items.push({
        kind: "task",
        text: heading.text,
        line: heading.line + 1,
        box: "open",
        source: undefined,
      });
  if (task.boxes.length === 0 && task.innerSteps.length === 0)
    for (let line = task.heading.line + 1; line < task.ownEnd; line += 1) {
      const [, text] = (hidden[line] === 0 && BOLD_STEP.exec(lines[line]!)) || [];
      if (text !== undefined && !isCommit(text))
        items.push({ kind: "task", text, line: line + 1, box: "open", source: undefined });
    }
  return items.toSorted((a, b) => a.line - b.line);
}

/** Names of the tasks, as `task-1`; the same for the reader and the writer. */
export function nameTasks(document: MarkdownDocument, tasks: readonly HeadedTask[]) {
  return nameSteps(
    tasks.map(({ says: { word, number, title }, section, heading, ownEnd }) => ({
      id: number === undefined ? undefined : `${word}-${number.replaceAll(".", "-")}`,
      section,
      title,
      // Only read where names are shared, which is rare.
      get whole() {
        return `${title}\n${canonical(document.lines.slice(heading.line + 1, ownEnd))}`;
      },
    })),
  );
}

/** Without ticks, which are progress and no words. */
const canonical = (lines: readonly string[]): string =>
  lines
    .map((line) => line.trimEnd().replace(/^(\s*(?:(?:[-*+]|\d+[.)])\s*)?\[)[xX~-]\]/, "$1 ]"))
    .join("\n")
    .trim();

export function readTasks(
  document: MarkdownDocument,
  outline: HeadedOutline,
  report: Report,
): Pick<Plan, "steps" | "context" | "checks" | "leftOut"> {
  const { tasks } = outline;
  const { anchors, repeated } = nameTasks(document, tasks);
  for (const { heading, why } of outline.others)
    if (why === DROPPED)
      report(
        "plan/dropped",
        { line: heading.line + 1, column: 1 },
        () => `${quote(heading.text)} was dropped.`,
      );
  reportNames(tasks, anchors, repeated, report);
  const dependencies = taskDependencies(document, tasks, anchors, report);
  const steps: PlanStep[] = [];
  const parts = tasks.map((): PlanStep[] => []);
  const last = tasks.length - 1;
  for (let index = last; index >= 0; index -= 1) {
    const task = tasks[index]!;
    const step = stepOf(
      document,
      task,
      anchors[index]!,
      dependencies[index]!,
      parts[index]!.toReversed(),
      report,
    );
    (task.parent === undefined ? steps : parts[task.parent]!).push(step);
  }
  steps.reverse();
  const outside = outsideOf(document, tasks);
  const sections = checkSections(document, (line) => outside[line] === 1);
  const beside = outside.slice();
  for (const { start, end } of sections) beside.fill(0, start, end);
  const checks = [
    ...sections.flatMap((section) => {
      const found = checksIn(document, section);
      return found.length > 0 ? found : sectionEntries(document, section);
    }),
    ...labelledChecks(document, (line) => beside[line] === 1).map(({ line, text }) => ({
      line: line + 1,
      text,
      command: commandIn(text),
    })),
  ].toSorted((a, b) => a.line - b.line);
  return {
    steps,
    context: contextOf(document, outside, sections),
    checks,
    leftOut: leftOutOf(document, outline, outside, new Set(checks.map(({ line }) => line))),
  };
}

function reportNames(
  tasks: readonly HeadedTask[],
  anchors: readonly string[],
  repeated: ReadonlyMap<number, number>,
  report: Report,
): void {
  for (const [index, { heading, says }] of tasks.entries()) {
    const place = { line: heading.line + 1, column: 1 };
    const before = repeated.get(index);
    const id = says.number && `${says.word}-${says.number.replaceAll(".", "-")}`;
    if (before !== undefined)
      report(
        "plan/repeated-step",
        place,
        () =>
          `${quote(heading.text)} stands in line ${tasks[before]!.heading.line + 1} too, with the same text.`,
      );
    else if (id !== undefined && anchors[index] !== anchorFor(id, "step"))
      report(
        "plan/repeated-id",
        place,
        () => `Several tasks are called ${quote(id)}; this one is ${anchors[index]} here.`,
      );
  }
}

function stepOf(
  document: MarkdownDocument,
  task: HeadedTask,
  anchor: string,
  dependsOn: readonly Dependency[],
  substeps: readonly PlanStep[],
  report: Report,
): PlanStep {
  const lines = document.lines.slice(task.heading.line + 1, task.ownEnd);
  const body = lines.join("\n").trim();
  const status = statusLineOf(document, task);
  const withoutStatus = () =>
    lines
      .toSpliced(status!.line - task.heading.line - 1, 1)
      .join("\n")
      .trim();
  return {
    anchor,
    ...markdownTitle(task.says.title),
    line: task.heading.line + 1,
    dependsOn,
    items: itemsOf(document, task).map(({ kind, text, line, box }) => ({ kind, text, line, box })),
    substeps,
    commit: commitIn(body),
    references: titleLine(task.section) || undefined,
    section: task.section,
    body,
    // How far it is says nothing about what is to be done.
    ...(status === undefined ? {} : { meaning: withoutStatus() }),
    progress: progressOf(task, anchor, { substeps, said: status?.says }, report),
  };
}

/** The message of the last `git commit -m "…"` in the text: what the author wants the commit to be called. */
function commitIn(body: string): string | undefined {
  if (!body.includes("git commit")) return undefined;
  const messages = [
    ...body.matchAll(/\bgit commit\b[^\n"']{0,40}-m\s+(?:"([^"\n]{1,200})|'([^'\n]{1,200}))/g),
  ];
  const [, double, single] = messages.at(-1) ?? [];
  const message = (double ?? single)?.trim();
  return message === undefined || message === "" || /[$`]/.test(message) ? undefined : message;
}

/**
 * How far a task is by its file. Such plans have no place for that, only boxes in the text and marks in headings; so each
 * task that counts as completed is reported, and one open box outweighs every mark.
 */
function progressOf(
  { boxes, headingBox, says, heading }: HeadedTask,
  anchor: string,
  { substeps, said }: { readonly substeps: readonly PlanStep[]; readonly said: StatedStatus | undefined },
  report: Report,
): StepProgress {
  const place = { line: heading.line + 1, column: 1 };
  const counted = boxes.filter(({ state }) => state !== "dropped");
  const open = counted.filter(({ state }) => state !== "ticked").length;
  const openParts = substeps.filter(({ progress }) => progress?.status !== "completed").length;
  const isMarked = says.isMarkedDone || headingBox?.state === "ticked" || said === "done";
  const isAllTicked = counted.length > 0 && open === 0 && headingBox?.state !== "open";
  const isDenied = said === "open" || said === "held";
  const isCompleted = (isMarked || isAllTicked) && open === 0 && openParts === 0 && !isDenied;
  if (isCompleted)
    report("plan/completed-by-marks", place, () =>
      isMarked
        ? `${anchor} counts as completed: ${said === "done" ? "its status" : "its heading"} says so.`
        : `${anchor} counts as completed: ${counted.length === 1 ? "its only box is" : `all of its ${counted.length} boxes are`} ticked.`,
    );
  else if (isDenied && (isMarked || isAllTicked))
    report(
      "plan/contradicting-status",
      place,
      () => `${anchor} is ticked, but its status says that it is not done.`,
    );
  else if (isMarked)
    report(
      "plan/contradicting-status",
      place,
      () =>
        `${anchor} is marked as done, but ${open + openParts} of the boxes and tasks under it ${open + openParts === 1 ? "is" : "are"} open.`,
    );
  return {
    status: isCompleted ? "completed" : said === "held" || says.isHeld ? "on_hold" : "pending",
    reason: undefined,
    note: undefined,
    verificationAttempts: 0,
    updatedAt: undefined,
  };
}

/** Per line, 1 where it is part of no task. */
function outsideOf({ lines }: MarkdownDocument, tasks: readonly HeadedTask[]): Uint8Array {
  const outside = new Uint8Array(lines.length).fill(1);
  for (const { heading, ownEnd } of tasks) outside.fill(0, heading.line, ownEnd);
  return outside;
}

/** Everything that is said to all tasks. A note that tells an agent to work through the whole plan is not: it has one task. */
function contextOf(
  { lines, headings }: MarkdownDocument,
  outside: Uint8Array,
  checks: readonly LineRange[],
): string {
  const skipped = new Set<number>();
  for (const { start, end } of checks) for (let line = start; line < end; line += 1) skipped.add(line);
  if (headings[0]?.level === 1) skipped.add(headings[0].line);
  const kept: string[] = [];
  let isAddressed = false;
  for (const [index, line] of lines.entries()) {
    isAddressed = line.startsWith(">") && (isAddressed || /^>\s*\*\*for\s/i.test(line));
    if (outside[index] === 1 && !skipped.has(index) && !isAddressed) kept.push(line.trimEnd());
  }
  return kept
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

function leftOutOf(
  { boxes }: MarkdownDocument,
  { tasks, others }: HeadedOutline,
  outside: Uint8Array,
  checks: ReadonlySet<number>,
): readonly LeftOut[] {
  const asCommit = (line: number, text: string): LeftOut => ({ line: line + 1, text, why: COMMITTED });
  // A heading with a box inside a task is an item of it.
  const ownBoxes = new Set(tasks.flatMap(({ boxes: own }) => own.map(({ line }) => line)));
  const beside = others.filter(({ heading }) => isTaskHeading(heading.text) && !ownBoxes.has(heading.line));
  const besideLines = new Set(beside.map(({ heading }) => heading.line));
  return [
    ...beside.map(({ heading, why }) => ({ line: heading.line + 1, text: heading.text, why })),
    ...boxes
      .filter(({ line }) => outside[line] === 1 && !checks.has(line + 1) && !besideLines.has(line))
      .map(({ line, text }) => leftOutside(line, text)),
    ...tasks.flatMap(({ boxes: own, innerSteps }) => [
      ...own.filter(({ text }) => isCommit(text)).map(({ line, text }) => asCommit(line, text)),
      ...innerSteps
        .filter(({ says }) => isCommit(says.title))
        .map(({ heading }) => asCommit(heading.line, heading.text)),
    ]),
  ].toSorted((a, b) => a.line - b.line);
}
