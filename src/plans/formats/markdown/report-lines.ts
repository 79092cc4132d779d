import { plural } from "../../../domain/index.ts";
import { quote, type Report } from "../diagnostics.ts";
import type { MarkdownDocument } from "./document.ts";
import { almostBoxAt } from "./list-item.ts";
import { MAX_LINE_LENGTH, MAX_LINES, type PlanLines } from "./visible-lines.ts";

/** Boxes behind `>`: an example, a template or a word to the agent, never work. They are counted, so that no work is lost there. */
export function reportQuotedBoxes({ lines, hidden }: PlanLines, report: Report): void {
  const quoted: number[] = [];
  for (let index = 0; index < lines.length; index += 1)
    if (hidden[index] === 0 && lines[index]!.includes(">") && QUOTED_BOX.test(lines[index]!.slice(0, 200)))
      quoted.push(index);
  const [first] = quoted;
  if (first !== undefined)
    report(
      "plan/quoted-boxes",
      { line: first + 1, column: 1 },
      () =>
        `${plural(quoted.length, "box stands", "boxes stand")} in a quote, such as ${quote(lines[first]!.trim().slice(0, 40))}: no step is made of that.`,
    );
}

const QUOTED_BOX = /^\s*>[\s>]*(?:[-*+]|\d{1,9}[.)])\s+\[[ xX~-]\](?:\s|$)/;

/** Reports what any Markdown plan can have wrong: cut files, long lines, open fences, boxes that are nearly some. */
export function reportLines(document: MarkdownDocument, report: Report): void {
  const { lines, hidden, tooLong, unclosed, isCut, boxes } = document;
  reportQuotedBoxes(document, report);
  if (isCut)
    report(
      "plan/too-many-lines",
      { line: MAX_LINES, column: 1 },
      () => `There are more than ${MAX_LINES} lines; those behind this one were not read.`,
    );
  for (const index of tooLong)
    report(
      "plan/line-too-long",
      { line: index + 1, column: 1 },
      () => `The line has more than ${MAX_LINE_LENGTH} characters.`,
    );
  for (const { what, start } of unclosed)
    report("plan/unclosed", { line: start + 1, column: 1 }, () => `This ${what} is never closed.`);
  for (const { line, at, isTight } of boxes)
    if (isTight)
      report("plan/tight-box", { line: line + 1, column: at + 1 }, () =>
        lines[line]!.trimStart().startsWith("[")
          ? `There is no list mark before the box ${quote(lines[line]!.trim().slice(0, 24))}.`
          : `A blank is missing beside the box ${quote(lines[line]!.trim().slice(0, 24))}.`,
      );
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!;
    const at = hidden[index] === 1 || !line.includes("[") ? undefined : almostBoxAt(line);
    if (at !== undefined)
      report(
        "plan/unread-box",
        { line: index + 1, column: at + 1 },
        () => `${quote(line.slice(at, at + 20))} is no box.`,
      );
  }
}
