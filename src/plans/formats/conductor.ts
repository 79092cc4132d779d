import { CONDUCTOR } from "./checklist/dialect.ts";
import { readList } from "./checklist/read.ts";
import { writeList } from "./checklist/write.ts";
import { LIKENESS } from "./likeness.ts";
import { type MarkdownDocument, scanMarkdown } from "./markdown/document.ts";
import type { PlanFormat } from "./plan-format.ts";

/** The `plan.md` of a track of Gemini's Conductor: `- [ ] Task: …`, `[~]` in progress, a commit behind what is done. */
export const conductor: PlanFormat<"conductor"> = {
  name: "conductor",
  isMarkdown: true,
  dialectOf: "checklist",
  weigh: (path, text) => weighConductor(path, scanMarkdown(text)),
  read: (text) => readList(text, CONDUCTOR),
  writer: { companions: [], write: writeList(CONDUCTOR) },
};

function weighConductor(path: string, { boxes }: MarkdownDocument): number {
  if (boxes.length === 0) return LIKENESS.no;
  if (/(?:^|[\\/])conductor[\\/](?:tracks|archive)[\\/]/.test(path)) return LIKENESS.certainly;
  const tops = boxes.filter(({ indent }) => indent === 0);
  const named = tops.filter(({ text }) => /^(?:\*\*)?task:/i.test(text)).length;
  return named * 2 > tops.length ? LIKENESS.surely : LIKENESS.no;
}
