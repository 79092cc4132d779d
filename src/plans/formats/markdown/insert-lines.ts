import { lineStarts } from "./ticks.ts";

/** Puts lines behind a line of a text, counted from 0, with the line ends of the text. No other byte changes. */
export function insertLines(text: string, behind: number, lines: readonly string[]): string {
  const newline = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
  const at = lineStarts(text)[behind + 1];
  const block = lines.join(newline);
  if (at === undefined) return `${text}${newline}${block}`;
  return `${text.slice(0, at)}${block}${newline}${text.slice(at)}`;
}

/** The last line of a stretch that says something: what parts it from the next one is not among them. */
export function lastWords(lines: readonly string[], start: number, end: number): number {
  let last = end - 1;
  const isBlank = (line: number): boolean => (lines[line] ?? "").trim() === "";
  while (last > start && (isBlank(last) || (RULE.test(lines[last]!) && isBlank(last - 1)))) last -= 1;
  return last;
}

const RULE = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})[ \t]*$/;

/** A heading with all that stands under it, parted by empty lines from what is around it. */
export function insertSection(
  text: string,
  lines: readonly string[],
  behind: number,
  section: readonly string[],
): string {
  const isTight = (lines[behind + 1] ?? "").trim() !== "";
  return insertLines(text, behind, ["", ...section, ...(isTight ? [""] : [])]);
}
