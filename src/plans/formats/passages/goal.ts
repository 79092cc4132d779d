import { headingAt } from "../markdown/heading.ts";
import { stepHeadingOf } from "../tugplan/step-heading.ts";
import { boxAt } from "../markdown/list-item.ts";
import { type PlanLines, visibleLines } from "../markdown/visible-lines.ts";

const LABEL = /^\*\*(?:goals?|purpose|objectives?|summary):?\*\*:?\s*(.*)$/is;
const HEADING = /^(?:[\d.]+\s+)?(?:goals?|purpose|objectives?|overview|summary|context)\b/i;

/** What a plan is for, in its author's words: its `**Purpose:**`, else the first paragraph that says so, else its first. */
export function goalIn(content: string): string | undefined {
  const plan = visibleLines(content);
  const { lines, hidden } = plan;
  let first: string | undefined;
  let underHeading: string | undefined;
  for (const [index, line] of lines.entries()) {
    if (hidden[index] === 1) continue;
    const heading = headingAt(line);
    if (heading && stepHeadingOf(heading.text, heading.anchor !== undefined)?.kind === "step") break;
    if (boxAt(line)) break;
    const [, said] = LABEL.exec(line.slice(0, 4000)) ?? [];
    if (said !== undefined) return [said, paragraphAt(plan, index + 1)].join(" ").trim() || undefined;
    if (heading) {
      if (underHeading === undefined && HEADING.test(heading.text)) underHeading = nextParagraph(plan, index);
      continue;
    }
    if (first === undefined && isProse(line)) first = paragraphAt(plan, index);
  }
  return underHeading ?? first;
}

function nextParagraph(plan: PlanLines, heading: number): string | undefined {
  const start = plan.lines.findIndex((line, index) => index > heading && line.trim() !== "");
  return start !== -1 && isProse(plan.lines[start]!) ? paragraphAt(plan, start) : undefined;
}

/** The lines up to the next blank one. */
function paragraphAt({ lines, hidden }: PlanLines, start: number): string {
  let end = start;
  while (end < lines.length && hidden[end] !== 1 && isProse(lines[end]!)) end += 1;
  return lines
    .slice(start, end)
    .map((line) => line.trim())
    .join(" ");
}

/** Neither a heading nor a table, a list, a quotation, a rule or a field. */
const isProse = (line: string): boolean => /^ {0,3}[^\s#|>*+<-]/.test(line) || /^ {0,3}\*[^*\s]/.test(line);
