import { BMAD } from "./checklist/dialect.ts";
import { readList } from "./checklist/read.ts";
import { writeList } from "./checklist/write.ts";
import { LIKENESS } from "./likeness.ts";
import { type MarkdownDocument, scanMarkdown } from "./markdown/document.ts";
import type { PlanFormat } from "./plan-format.ts";

/** A story of BMAD: the boxes under `Tasks / Subtasks` are the work, all else is about it. */
export const bmad: PlanFormat<"bmad"> = {
  name: "bmad",
  isMarkdown: true,
  dialectOf: "checklist",
  weigh: (_path, text) => weighBmad(scanMarkdown(text)),
  read: (text) => readList(text, BMAD),
  writer: { companions: [], write: writeList(BMAD) },
};

function weighBmad({ headings, boxes }: MarkdownDocument): number {
  const isStory = headings.some(({ level, text }) => level === 1 && /^story\b/i.test(text));
  const hasTasks = headings.some(({ level, text }) => level === 2 && /^tasks\s*\/\s*subtasks/i.test(text));
  return hasTasks && boxes.length > 0 ? (isStory ? LIKENESS.certainly : LIKENESS.surely) : LIKENESS.no;
}
