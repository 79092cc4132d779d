import { GSD_ROADMAP } from "./checklist/dialect.ts";
import { readList } from "./checklist/read.ts";
import { writeList } from "./checklist/write.ts";
import { LIKENESS } from "./likeness.ts";
import { type MarkdownDocument, scanMarkdown } from "./markdown/document.ts";
import type { PlanFormat } from "./plan-format.ts";

/** The `ROADMAP.md` of GSD: a box for each phase, and under the heading of a phase the plans that it is made of. */
export const gsdRoadmap: PlanFormat<"gsd-roadmap"> = {
  name: "gsd-roadmap",
  isMarkdown: true,
  dialectOf: "checklist",
  weigh: (_path, text) => weighRoadmap(scanMarkdown(text)),
  read: (text) => readList(text, GSD_ROADMAP),
  writer: { companions: [], write: writeList(GSD_ROADMAP) },
};

function weighRoadmap({ headings, boxes }: MarkdownDocument): number {
  const phases = boxes.filter(({ text }) => /^\*\*phase\s+\d/i.test(text)).length;
  const details = headings.filter(({ text }) => /^phase\s+\d/i.test(text)).length;
  return phases > 0 && details > 0 ? LIKENESS.certainly : LIKENESS.no;
}
