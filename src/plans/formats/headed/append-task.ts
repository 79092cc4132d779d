import type { NewStep } from "../../../domain/index.ts";
import { scanMarkdown } from "../markdown/document.ts";
import { insertSection, lastWords } from "../markdown/insert-lines.ts";
import { outlineTasks } from "./outline.ts";
import { nameTasks } from "./read.ts";

/** A plan with one more task behind its last one, whose heading is written in the same way. */
export function appendTask(text: string, { title, text: words, tasks, after }: NewStep): string | undefined {
  const document = scanMarkdown(text);
  const { tasks: known } = outlineTasks(document);
  const last = known.findLast(({ parent }) => parent === undefined);
  const head = last && HEAD.exec(last.heading.text);
  if (last === undefined || !head) return undefined;
  const [, word = "", number = "", separator = ":"] = head;
  const { anchors } = nameTasks(document, known);
  const waitsFor = after.map((anchor) => known[anchors.indexOf(anchor)]?.says);
  if (waitsFor.some((says) => says?.number === undefined)) return undefined;
  const next = nextNumber(
    number,
    known.filter(({ parent }) => parent === undefined).map(({ says }) => says.number ?? ""),
  );
  const box = last.headingBox ? "[ ] " : "";
  return insertSection(text, document.lines, lastWords(document.lines, last.heading.line, last.end), [
    `${"#".repeat(last.heading.level)} ${box}${word}${next}${separator} ${title}`,
    ...(after.length === 0
      ? []
      : ["", `**Depends on:** ${waitsFor.map((says) => `${word.trim()} ${says!.number}`).join(", ")}`]),
    ...(words === "" ? [] : ["", ...words.split("\n")]),
    ...(tasks.length === 0 ? [] : ["", ...tasks.map((task) => `- [ ] ${task}`)]),
  ]);
}

/** `Task 3:`, `[ ] Step 2 —`: the word, its number and what parts them from the title. */
const HEAD =
  /^(?:[^\p{L}\p{N}[]*\[[ xX~-]\]\s*)?[^\p{L}\p{N}]*?(\p{L}+\s*#?)(\d+(?:\.\d+)*)(\s*(?:[:.)—–：]|--?(?=\s)))?/u;

/** `4` behind `3`, `1.9` behind `1.8`; larger than every number of that kind. */
function nextNumber(number: string, known: readonly string[]): string {
  const part = number.slice(0, number.lastIndexOf(".") + 1);
  const last = known.flatMap((one) => {
    const own = one.startsWith(part) ? /^\d+/.exec(one.slice(part.length)) : null;
    return own ? [Number(own[0])] : [];
  });
  return `${part}${Math.max(0, ...last) + 1}`;
}
