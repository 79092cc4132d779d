import type { NewStep } from "../../../domain/index.ts";
import { collectDiagnostics } from "../diagnostics.ts";
import { scanMarkdown } from "../markdown/document.ts";
import { insertLines, lastWords } from "../markdown/insert-lines.ts";
import type { Dialect } from "./dialect.ts";
import { listOf } from "./read.ts";

/**
 * A list with one more box behind its last step, with the next id where the steps have ids. The order of a list is all
 * that it says about what waits for what.
 */
export const appendBox =
  (dialect: Dialect) =>
  (text: string, { title, text: words, tasks, after }: NewStep): string | undefined => {
    const document = scanMarkdown(text);
    const { steps } = listOf(document, dialect, collectDiagnostics().report);
    const last = steps.findLast(({ parent, box }) => parent === undefined && box.level === undefined);
    if (last === undefined || after.length > 0) return undefined;
    const { lines } = document;
    const { line, at } = last.box;
    const mark = lines[line]!.slice(0, at);
    const inner = " ".repeat(Math.max(mark.length, 2));
    const id = nextId(
      lines[line]!.slice(at + 3).trimStart(),
      steps.map(({ words: { id: known = "" } }) => known),
    );
    return insertLines(text, lastWords(lines, line, last.end), [
      `${nextMark(mark)}[ ] ${id}${title}`,
      ...words.split("\n").flatMap((one) => (one === "" ? [] : [`${inner}${one}`])),
      ...tasks.map((task) => `${inner}- [ ] ${task}`),
    ]);
  };

/** `2. ` behind `1. `. */
const nextMark = (mark: string): string => mark.replace(/\d+/, (number) => String(Number(number) + 1));

/** `T013 ` behind `T012 [P] words`, `3. ` behind `2. words`, `2.4 ` behind `2.3 words`; empty where steps have no ids. */
function nextId(words: string, known: readonly string[]): string {
  const [, open = "", start = "", digits, close = ""] = ID.exec(words) ?? [];
  if (digits === undefined) return "";
  const numbers = known.flatMap((id) => {
    const own = id.startsWith(start) ? /^\d+/.exec(id.slice(start.length)) : null;
    return own ? [Number(own[0])] : [];
  });
  const next = String(Math.max(Number(digits), ...numbers) + 1).padStart(digits.length, "0");
  // Bold that ends behind the words is not continued.
  const bold = open !== "" && close.includes("**") ? open : "";
  return `${bold}${start}${next}${close} `;
}

const ID = /^(\*\*)?(T-?|(?:\d{1,6}\.)*)(\d{1,6})(?:[a-z](?=[\s*]))?((?:[.):]|\*\*)*)(?=\s)/i;
