import { wrap } from "./layout.ts";
import { safeText } from "../../domain/index.ts";

/**
 * Text behind something that takes `indent` columns: its lines fit the terminal and start below each other.
 *
 * What people copy stays whole, even where it is wider than that: paths, commands between backticks, and a command that
 * the text ends with. A terminal breaks those by itself, and gives them back in one piece.
 *
 * A colour is given line by line: painting makes its text safe, and a line end in it would be replaced.
 */
export function paragraph(
  text: string,
  indent: number,
  columns: number,
  colour: (line: string) => string = (line) => line,
): string {
  const whole = safeText(text).replaceAll(COMMAND, (command) => command.replaceAll(" ", GLUE));
  const lines = wrap(whole, Math.max(columns - indent, NARROWEST), { breakWords: false });
  return lines.map((line) => colour(line.replaceAll(GLUE, " "))).join(`\n${" ".repeat(indent)}`);
}

/** Less is a column of single words, and no longer read as a sentence. */
const NARROWEST = 16;
const COMMAND = /`[^`\n]{1,100}`|(?<=\b(?:with|back): )(?:pawl|git) [^`\n]*$/gm;
/** A space at which no line is broken. */
const GLUE = "\u00a0";
