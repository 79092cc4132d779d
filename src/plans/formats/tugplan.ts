import type { Plan } from "../../domain/index.ts";
import { collectDiagnostics, type Report } from "./diagnostics.ts";
import { LIKENESS } from "./likeness.ts";
import { linesOf, type MarkdownDocument, scanMarkdown } from "./markdown/document.ts";
import type { PlanFormat } from "./plan-format.ts";
import { reportCycles } from "./report-cycles.ts";
import { appendStep } from "./tugplan/append-step.ts";
import { breakDownStep } from "./tugplan/break-down.ts";
import { besideSteps } from "./tugplan/beside-steps.ts";
import { assemble } from "./tugplan/assemble.ts";
import { readFront } from "./tugplan/front.ts";
import { outlineSteps } from "./tugplan/outline.ts";
import { reportOddities } from "./tugplan/report-oddities.ts";
import { readStepContent } from "./tugplan/step-content.ts";
import { stepHeadingOf } from "./tugplan/step-heading.ts";

/** Markdown with `#### Step N: Title {#anchor}` headings and checklists under labels. */
export const tugplan: PlanFormat<"tugplan"> = {
  name: "tugplan",
  isMarkdown: true,
  weigh: (_path, text) => weighTugplan(scanMarkdown(text)),
  read: readTugplan,
  appendStep,
  breakDown(text, step, substeps) {
    const after = breakDownStep(text, step, substeps);
    return after === undefined ? undefined : { name: "", before: text, after };
  },
};

/** A step with an anchor is surely meant so; one without is a heading that other plans have, too. */
function weighTugplan({ headings, lines, hidden }: MarkdownDocument): number {
  const steps = headings.filter(
    ({ level, text, anchor }) =>
      level >= 3 && level <= 5 && stepHeadingOf(text, anchor !== undefined) !== undefined,
  );
  if (steps.length === 0) return LIKENESS.no;
  const isOwn =
    steps.some(({ anchor }) => anchor !== undefined) ||
    lines.some((line, index) => hidden[index] === 0 && OWN_LABEL.test(line));
  return isOwn ? LIKENESS.surely : LIKENESS.perhaps;
}

const OWN_LABEL =
  /^(?:\*\*(?:Tasks|Tests|Checkpoints?)(?: \([^()]*\))?:\*\*|(?:\*\*)?Depends on:(?:\*\*)? *[#`[])/i;

/**
 * Reads a plan line by line, in time that grows with its length and with nothing else.
 *
 * No Markdown library: those recurse, and a few kilobytes of nested quotes or lists bring them down. A plan needs
 * headings, fences, labels and boxes only.
 */
export function readTugplan(text: string): Plan {
  const { report, all } = collectDiagnostics();
  const { steps, ...rest } = readSteps(text, report);
  reportCycles(steps, report);
  return { format: tugplan.name, ...rest, steps, diagnostics: all() };
}

/** What is only needed on the way is gone before the graph is built: a large plan is many objects. */
function readSteps(
  text: string,
  report: Report,
): Pick<Plan, "title" | "metadata" | "steps" | "checks" | "leftOut"> {
  const lines = linesOf(text);
  const outlined = outlineSteps(lines);
  const contents = outlined.steps.map(({ parts }) => readStepContent(lines, parts));
  reportOddities(lines, outlined, contents, report);
  // A plan with too many steps is not carried out; nothing is said about what stands beside them.
  const beside = outlined.excess === undefined ? besideSteps(scanMarkdown(text), outlined, contents) : {};
  const steps = assemble(outlined.steps, contents, report);
  const { title, metadata } = readFront(lines, outlined);
  return { title, metadata, steps, ...beside };
}
