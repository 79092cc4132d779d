import { plural } from "../../domain/index.ts";
import { quote, type Report } from "./diagnostics.ts";
import { taskHeadingOf } from "./headed/task-heading.ts";
import type { DocumentHeading, MarkdownDocument } from "./markdown/document.ts";

const MARK = /^(?:[-*+]\s+)?(?:✅|☑|✔|❌|⬜|🔲|☐|🚧|⏳|🔄|🟡|🟢|🔴)/u;

/** What people write their work as that Pawl does not take for steps, because it is as often something else. */
const SHAPES: readonly {
  readonly what: (count: number) => string;
  readonly pattern: RegExp;
  /** It says something about the line above it; without words there, it is a rule. */
  readonly isUnderline?: true;
}[] = [
  {
    what: (count) => plural(count, "entry of a numbered list", "entries of a numbered list"),
    pattern: /^\d{1,4}[.)]\s+\S/,
  },
  { what: (count) => plural(count, "line with a status mark", "lines with a status mark"), pattern: MARK },
  {
    what: (count) => plural(count, "row of a table", "rows of a table"),
    pattern: /^\|(?!\s*:?-{2,})(?:[^|]*\|){2,}\s*$/,
  },
  {
    what: (count) => plural(count, "bold line that names a task", "bold lines that name a task"),
    pattern: /^\*\*(?:task|step)\s+\d/i,
  },
  {
    what: (count) => plural(count, "underlined heading", "underlined headings"),
    pattern: /^(?:={3,}|-{3,})\s*$/,
    isUnderline: true,
  },
];

/** Says where a file without a step seems to have its work, so that its author knows what to change. */
export function reportUnreadWork({ lines, hidden, headings }: MarkdownDocument, report: Report): void {
  const numbered = headings.filter(({ text }) => NUMBERED.test(text) || WITH_ID.test(text));
  if (numbered.length > 1)
    say(report, numbered[0]!.line, plural(numbered.length, "numbered heading"), numbered[0]!.text);
  for (const { what, pattern, isUnderline } of SHAPES) {
    const above = (index: number) => (isUnderline ? index - 1 : index);
    const found = lines.flatMap((line, index) =>
      hidden[index] === 0 && pattern.test(line.slice(0, 2000)) && lines[above(index)]?.trim()
        ? [above(index)]
        : [],
    );
    if (found.length > 1) say(report, found[0]!, what(found.length), lines[found[0]!]!);
  }
}

/** Whether a file says in another way than with boxes what is to be done: numbered headings, a numbered list, bold tasks. */
export const hasUnreadWork = ({ lines, hidden, headings }: MarkdownDocument): boolean =>
  headings.filter(({ text }) => NUMBERED.test(text)).length > 1 ||
  lines.filter((line, index) => hidden[index] === 0 && ENTRY.test(line)).length > 1;

/** An entry of a numbered list without a box, or a bold line that names a task. */
const ENTRY = /^(?:\d{1,4}[.)]\s+(?!\[[ xX~-]\])\S|\*\*(?:task|step)\s+\d)/i;

/** `1. Title`, `1.2 Title`, `3) Title`. */
const NUMBERED = /^\d{1,4}(?:\.\d{1,4})*[.)]?\s+\S/;

/** `T1 — Title`, `AUTH-12: Title`. */
const WITH_ID = /^[A-Z]{1,8}-?\d{1,4}(?:\.\d{1,4})*(?:[:.)]|(?=\s+[—–-]\s))\s+\S/;

const say = (report: Report, line: number, what: string, example: string): void =>
  report(
    "plan/unread-work",
    { line: line + 1, column: 1 },
    () => `${what}, such as ${quote(example.trim())}: no step is made of that.`,
  );

/** `1. Title`, `Stage 1: Title`. */
const isNumbered = (heading: string): boolean =>
  NUMBERED.test(heading) || taskHeadingOf(heading)?.number !== undefined;

/** Numbered headings without a box under them, in a list whose boxes are the work: tasks that no agent would get. */
export function reportUnreadHeadings({ headings, boxes }: MarkdownDocument, report: Report): void {
  const open: { readonly heading: DocumentHeading; hasBox: boolean }[] = [];
  const empty: DocumentHeading[] = [];
  const close = (level: number) => {
    while (open.length > 0 && open.at(-1)!.heading.level >= level) {
      const { heading, hasBox } = open.pop()!;
      if (!hasBox && isNumbered(heading.text)) empty.push(heading);
      if (hasBox && open.length > 0) open.at(-1)!.hasBox = true;
    }
  };
  let next = 0;
  for (const [index, heading] of headings.entries()) {
    close(heading.level);
    const end = headings[index + 1]?.line ?? Infinity;
    const first = next;
    while (next < boxes.length && boxes[next]!.line < end) next += 1;
    open.push({ heading, hasBox: next > first });
  }
  close(0);
  if (empty.length > 1) {
    const { line, text } = empty.reduce((first, one) => (one.line < first.line ? one : first));
    say(report, line, `${plural(empty.length, "numbered heading")} without a box`, text);
  }
}

/** Steps that stand under a label for criteria: they may be what a task must fulfil, and not work of their own. */
export function reportCriteria(
  { lines }: MarkdownDocument,
  steps: readonly { readonly line: number }[],
  report: Report,
): void {
  const isStep = new Set(steps.map(({ line }) => line - 1));
  let label = "";
  let first: { readonly line: number; readonly label: string } | undefined;
  let count = 0;
  for (const [index, line] of lines.entries()) {
    if (isStep.has(index)) {
      if (label === "") continue;
      count += 1;
      first ??= { line: index + 1, label };
    } else if (line !== "" && !IN_A_LIST.test(line)) label = CRITERIA.test(line) ? line.slice(0, 200) : "";
  }
  if (first)
    report(
      "plan/criteria-as-steps",
      { line: first.line, column: 1 },
      () => `${plural(count, "step stands", "steps stand")} under ${quote(first.label)}.`,
    );
}

const CRITERIA =
  /^(?:\*\*|__)?(?:(?:acceptance|success|exit|completion)\s+criteria|definition of done|done when)\b/i;

/** Lines that leave the label over them in force. */
export const IN_A_LIST = /^(?:\s|[-*+]\s|\d{1,4}[.)]\s|\[)/;
