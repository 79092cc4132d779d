import { quote, type Report } from "../diagnostics.ts";
import type { SourcePosition } from "../../../platform/json/index.ts";
import { boxAt } from "../markdown/list-item.ts";
import { MAX_STEPS } from "../plan-words.ts";
import { reportQuotedBoxes } from "../markdown/report-lines.ts";
import type { Outline } from "./outline.ts";
import type { StepContent } from "./step-content.ts";
import { MAX_LINE_LENGTH, MAX_LINES, type PlanLines } from "../markdown/visible-lines.ts";

/** Says what was read differently from how it was written, or not at all. */
export function reportOddities(
  plan: PlanLines,
  outline: Outline,
  contents: readonly StepContent[],
  report: Report,
): void {
  reportLines(plan, report);
  reportQuotedBoxes(plan, report);
  reportHeadings(outline, report);
  reportStrayBoxes(plan, outline, report);
  reportLabels(plan, outline, report);
  reportSections(contents, report);
  for (const content of contents) reportContent(content, report);
}

function reportLines({ lines, tooLong, unclosed, isCut }: PlanLines, report: Report): void {
  if (isCut)
    report(
      "plan/too-many-lines",
      { line: MAX_LINES, column: 1 },
      () => `There are more than ${MAX_LINES} lines; those behind this one were not read.`,
    );
  for (const index of tooLong) {
    report(
      "plan/line-too-long",
      { line: index + 1, column: MAX_LINE_LENGTH + 1 },
      () => `The line has ${lines[index]!.length} characters; at most ${MAX_LINE_LENGTH} are read.`,
    );
  }
  for (const { what, start, end, steps } of unclosed) {
    const where = end === lines.length ? "" : ` before line ${end + 1}`;
    if (steps === 0) report("plan/unclosed", startOf(start), () => `This ${what} is not closed${where}.`);
    else {
      report("plan/steps-hidden", startOf(start), () => {
        const hidden = steps === 1 ? "a step heading" : `${steps} step headings`;
        return `This ${what} is not closed${where} and hides ${hidden}.`;
      });
    }
  }
}

function reportHeadings({ steps, unread, excess }: Outline, report: Report): void {
  if (steps.length === 0) report("plan/no-steps", startOf(0), () => "The plan has no steps.");
  if (excess !== undefined) {
    const message = `The plan has more than ${MAX_STEPS} steps; from here on they are not read.`;
    report("plan/too-many-steps", startOf(excess), () => message);
  }
  for (const { index, heading, why } of unread) {
    report(
      "plan/unread-heading",
      startOf(index),
      () => `${quote(heading.text)} looks like a step but is not read as one: ${why}.`,
    );
  }
}

/** What people write when they mean `Depends on`. An edge that is not read lets work start too early. */
const ALMOST_DEPENDS =
  /^(?:[-*+][ \t]+)?\*\*((?:depends?|depends? upon|depend on|depended on|dependent on|dependency|blocked by|waits for|requires))(?::\*\*|\*\*:)/i;

function reportLabels({ lines, hidden }: PlanLines, { steps }: Outline, report: Report): void {
  for (const { parts } of steps)
    for (const { start, end } of parts)
      for (let index = start; index < end; index += 1) {
        const line = lines[index]!;
        if (hidden[index] === 1 || !line.includes("**")) continue;
        const [, label] = ALMOST_DEPENDS.exec(line) ?? [];
        if (label !== undefined)
          report("plan/unread-label", startOf(index), () => `${quote(label)} is no label that is read.`);
      }
}

function reportStrayBoxes({ lines, hidden }: PlanLines, { outside }: Outline, report: Report): void {
  let count = 0;
  let first = 0;
  for (const { start, end } of outside) {
    for (let index = start; index < end; index += 1) {
      if (hidden[index] === 1 || !boxAt(lines[index]!)) continue;
      if (count === 0) first = index;
      count += 1;
    }
  }
  if (count > 0)
    report("plan/boxes-outside", startOf(first), () => `${boxes(count)} outside the steps, the first here.`);
}

/** One line for all boxes of a kind: real plans have dozens, and they are no mistake. */
function reportSections(contents: readonly StepContent[], report: Report): void {
  const untracked = contents.flatMap((content) => content.untracked);
  const [firstUntracked] = untracked;
  if (firstUntracked !== undefined) {
    report(
      "plan/boxes-untracked",
      startOf(firstUntracked),
      () => `${boxes(untracked.length)} under Artifacts or Rollback, the first here.`,
    );
  }
  const unlabelled = contents.flatMap((content) => content.unlabelled);
  const [firstUnlabelled] = unlabelled;
  if (firstUnlabelled) {
    report("plan/boxes-as-tasks", startOf(firstUnlabelled.index), () => {
      const others = new Set(unlabelled.map(({ label }) => label)).size - 1;
      const more = others === 0 ? "" : others === 1 ? " and another label" : ` and ${others} other labels`;
      return `${boxes(unlabelled.length)} under ${quote(firstUnlabelled.label)}${more}, the first here.`;
    });
  }
}

function reportContent({ items, almostBoxes, repeated, overlong }: StepContent, report: Report): void {
  for (const { line, text } of items) {
    if (text === "") report("plan/empty-item", { line, column: 1 }, () => "The box has no text.");
  }
  for (const { index, at } of almostBoxes) {
    report(
      "plan/unread-box",
      { line: index + 1, column: at + 1 },
      () => "This is no box, and is not tracked.",
    );
  }
  for (const { index, field } of repeated) {
    report("plan/repeated-field", startOf(index), () => `The step has another ${field} line.`);
  }
  for (const index of overlong) {
    report(
      "plan/line-too-long",
      startOf(index),
      () =>
        `What stands behind the label is longer than ${MAX_LINE_LENGTH} characters; from here on it is not read.`,
    );
  }
}

const startOf = (index: number): SourcePosition => ({ line: index + 1, column: 1 });
const boxes = (count: number): string => (count === 1 ? "One box stands" : `${count} boxes stand`);
