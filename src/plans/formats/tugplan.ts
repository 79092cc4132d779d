import type { Plan } from "../../domain/index.ts";
import { collectDiagnostics } from "./diagnostics.ts";
import type { PlanFormat } from "./plan-format.ts";
import { reportCycles } from "./report-cycles.ts";
import { breakDownStep } from "./tugplan/break-down.ts";
import { assemble } from "./tugplan/assemble.ts";
import { readFront } from "./tugplan/front.ts";
import { outlineSteps } from "./tugplan/outline.ts";
import { reportOddities } from "./tugplan/report-oddities.ts";
import { readStepContent } from "./tugplan/step-content.ts";
import { visibleLines } from "./tugplan/visible-lines.ts";

/** Markdown with `#### Step N: Title {#anchor}` headings and checklists under labels. */
export const tugplan: PlanFormat<"tugplan"> = {
  name: "tugplan",
  recognises: (_path, text) => /^ {0,3}#{3,5}[ \t]+Step\b/im.test(text),
  read: readTugplan,
  breakDown(text, step, substeps) {
    const after = breakDownStep(text, step, substeps);
    return after === undefined ? undefined : { name: "", before: text, after };
  },
};

/**
 * Reads a plan line by line, in time that grows with its length and with nothing else.
 *
 * No Markdown library: those recurse, and a few kilobytes of nested quotes or lists bring them down. A plan needs
 * headings, fences, labels and boxes only.
 */
export function readTugplan(text: string): Plan {
  const { report, all } = collectDiagnostics();
  const lines = visibleLines(text);
  const outlined = outlineSteps(lines);
  const contents = outlined.steps.map(({ parts }) => readStepContent(lines, parts));
  reportOddities(lines, outlined, contents, report);
  const steps = assemble(outlined.steps, contents, report);
  reportCycles(steps, report);
  const { title, metadata } = readFront(lines, outlined);
  return { format: tugplan.name, title, metadata, steps, diagnostics: all() };
}
