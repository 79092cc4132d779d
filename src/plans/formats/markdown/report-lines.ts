import { quote, type Report } from "../diagnostics.ts";
import type { MarkdownDocument } from "./document.ts";
import { almostBoxAt } from "./list-item.ts";
import { MAX_LINE_LENGTH, MAX_LINES } from "./visible-lines.ts";

/** Reports what any Markdown plan can have wrong: cut files, long lines, open fences, boxes that are nearly some. */
export function reportLines(
  { lines, hidden, tooLong, unclosed, isCut, boxes }: MarkdownDocument,
  report: Report,
): void {
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
