import { wrap } from "./layout.ts";
import { safeText } from "../../domain/safe-text.ts";

/**
 * Text behind something that takes `indent` columns: its lines fit the terminal and start below each other.
 *
 * A word wider than that stays whole, because most such words are paths and commands that people copy.
 */
export function paragraph(text: string, indent: number, columns: number): string {
  const lines = wrap(safeText(text), Math.max(columns - indent, NARROWEST), { breakWords: false });
  return lines.join(`\n${" ".repeat(indent)}`);
}

const NARROWEST = 30;
