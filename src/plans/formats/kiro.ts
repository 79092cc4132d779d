import { appendBox } from "./checklist/append-box.ts";
import { KIRO } from "./checklist/dialect.ts";
import { readList } from "./checklist/read.ts";
import { writeList } from "./checklist/write.ts";
import { isTaskHeading } from "./headed/task-heading.ts";
import { LIKENESS } from "./likeness.ts";
import { type MarkdownDocument, scanMarkdown } from "./markdown/document.ts";
import type { PlanFormat } from "./plan-format.ts";

/** The `tasks.md` of Kiro, and of tools that write the same: numbered boxes, `[-]` in progress, `[ ]*` optional. */
export const kiro: PlanFormat<"kiro"> = {
  name: "kiro",
  isMarkdown: true,
  dialectOf: "checklist",
  weigh: (path, text) => weighKiro(path, scanMarkdown(text)),
  read: (text) => readList(text, KIRO),
  appendStep: appendBox(KIRO),
  writer: { companions: [], write: writeList(KIRO) },
};

function weighKiro(path: string, { boxes, headings, lines }: MarkdownDocument): number {
  if (boxes.length === 0) return LIKENESS.no;
  const tops = boxes.filter(({ indent }) => indent === 0);
  // OpenSpec numbers its sections, and Kiro its tasks.
  const isSectioned = headings.some(({ level, text }) => level === 2 && /^\d{1,4}\.\s/.test(text));
  const number = isSectioned ? /^(?:\*\*)?\d{1,4}[.)](?:\s|\*\*)/ : NUMBER;
  const numbered = tops.filter(({ text }) => number.test(text)).length;
  if (/(?:^|[\\/])\.(?:kiro|spec-workflow)[\\/]/.test(path)) {
    // Other tools put plans of headed tasks there, whose boxes are only items.
    const isHeaded = numbered === 0 && headings.filter(({ text }) => isTaskHeading(text)).length > 1;
    return isHeaded ? LIKENESS.likely : LIKENESS.certainly;
  }
  const isTitled = headings.some(
    ({ level, text }) => level === 1 && /^implementation (?:plan|tasks)\b/i.test(text),
  );
  const isMarked =
    isTitled ||
    boxes.some(({ isOptional }) => isOptional) ||
    lines.some((line) => /^\s*(?:[-*]\s*)?_Requirements:/.test(line));
  return isMarked && numbered * 2 > tops.length - numbered ? LIKENESS.surely : LIKENESS.no;
}

const NUMBER = /^(?:\*\*)?\d{1,4}(?:(?:\.\d{1,4})+[.)]?|[.)])(?:\s|\*\*)/;
