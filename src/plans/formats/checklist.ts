import type { Plan } from "../../domain/index.ts";
import { appendBox } from "./checklist/append-box.ts";
import { PLAIN } from "./checklist/dialect.ts";
import { readList } from "./checklist/read.ts";
import { hasTaskId } from "./checklist/task-text.ts";
import { writeList } from "./checklist/write.ts";
import { LIKENESS } from "./likeness.ts";
import { type MarkdownDocument, scanMarkdown } from "./markdown/document.ts";
import type { PlanFormat } from "./plan-format.ts";

/** Any Markdown with boxes; spec-kit and OpenSpec write theirs with ids. */
export const checklist: PlanFormat<"checklist"> = {
  name: "checklist",
  isMarkdown: true,
  weigh: (_path, text) => weighChecklist(scanMarkdown(text)),
  read: readChecklist,
  appendStep: appendBox(PLAIN),
  writer: { companions: [], write: writeList(PLAIN) },
};

export function readChecklist(text: string): Plan {
  return readList(text, PLAIN);
}

/** Any box will do; ids leave no doubt. */
function weighChecklist({ boxes }: MarkdownDocument): number {
  if (boxes.length === 0) return LIKENESS.no;
  const tops = boxes.filter(({ indent }) => indent <= 0);
  const withIds = tops.filter(({ text }) => hasTaskId(text)).length;
  return withIds * 2 > tops.length ? LIKENESS.surely : LIKENESS.unlikely;
}
