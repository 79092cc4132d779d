import type { Plan } from "../../domain/index.ts";
import { collectDiagnostics } from "./diagnostics.ts";
import { LIKENESS } from "./likeness.ts";
import { appendTask } from "./headed/append-task.ts";
import { checkSections, isAside, isClosing, labelledChecks } from "./headed/check-sections.ts";
import { outlineTasks } from "./headed/outline.ts";
import { readTasks } from "./headed/read.ts";
import { writeHeaded } from "./headed/write.ts";
import { boxesBetween, type MarkdownDocument, scanMarkdown } from "./markdown/document.ts";
import { reportLines } from "./markdown/report-lines.ts";
import type { PlanFormat } from "./plan-format.ts";
import { MAX_STEPS } from "./plan-words.ts";
import { reportCycles } from "./report-cycles.ts";

/** Markdown whose headings are the work: `### Task 1: Title`, as superpowers, ralphex and plan modes write it. */
export const headed: PlanFormat<"headed"> = {
  name: "headed",
  isMarkdown: true,
  weigh: (_path, text) => weighHeaded(scanMarkdown(text)),
  read: readHeaded,
  appendStep: appendTask,
  writer: { companions: [], write: writeHeaded },
};

/** Headings of tasks are work, unless most of the boxes lie outside of them. Phases alone are work where there is no box. */
function weighHeaded(document: MarkdownDocument): number {
  const { tasks } = outlineTasks(document);
  if (tasks.length === 0) return LIKENESS.no;
  const within = boxesBetween(document.boxes);
  const sections = checkSections(
    document,
    () => true,
    (text) => isClosing(text) || isAside(text),
  );
  const beside = new Uint8Array(document.lines.length).fill(1);
  for (const { start, end } of sections) beside.fill(0, start, end);
  const closing =
    sections.reduce((sum, { start, end }) => sum + within(start, end).length, 0) +
    labelledChecks(document, (line) => beside[line] === 1).length;
  const isNamed = tasks.some(({ says: { kind, number } }) => kind !== "phase" || number?.includes("."));
  if (!isNamed) return document.boxes.length === closing ? LIKENESS.perhaps : LIKENESS.barely;
  const inside = tasks.reduce((sum, { boxes }) => sum + boxes.length, tasks.length);
  const outside = tasks.reduce((sum, { boxes }) => sum - boxes.length, document.boxes.length);
  if (outside - closing <= inside) return LIKENESS.likely;
  // Criteria and stories before the tasks have boxes, too; what is called a task several times is one.
  return tasks.filter(({ says }) => says.kind === "task").length > 1 ? LIKENESS.perhaps : LIKENESS.barely;
}

export function readHeaded(text: string): Plan {
  const { report, all } = collectDiagnostics();
  const document = scanMarkdown(text);
  const outline = outlineTasks(document);
  reportLines(document, report);
  const excess = outline.tasks[MAX_STEPS];
  if (outline.tasks.length === 0)
    report("plan/no-tasks", { line: 1, column: 1 }, () => "No heading in the file names a task.");
  if (excess)
    report(
      "plan/too-many-steps",
      { line: excess.heading.line + 1, column: 1 },
      () => `There are more than ${MAX_STEPS} tasks.`,
    );
  const read = readTasks(document, { ...outline, tasks: outline.tasks.slice(0, MAX_STEPS) }, report);
  return {
    format: headed.name,
    title: titleOf(document),
    metadata: [],
    ...read,
    steps: reportCycles(read.steps, report),
    diagnostics: all(),
  };
}

const titleOf = ({ headings }: MarkdownDocument): string | undefined =>
  headings.find(({ level, text }) => level === 1 && text !== "")?.text ??
  headings.find(({ text }) => text !== "")?.text;
