import { headingAt } from "../markdown/heading.ts";
import { contentStart } from "../markdown/indentation.ts";
import { labelsAt, type LabelRole } from "./label.ts";
import { listItemAt } from "../markdown/list-item.ts";
import { MAX_LINE_LENGTH } from "../markdown/visible-lines.ts";

/** A piece of a field's text, with its place: line counted from 0, offset in that line. */
export interface Piece {
  readonly index: number;
  readonly at: number;
  readonly text: string;
}

/** What stands behind a label, which the next line may continue. */
export interface StepField {
  readonly is: LabelRole["role"];
  readonly pieces: Piece[];
  length: number;
}

/** Takes a line into the field above it when that continues there: a wrapped text, or a list under an empty label. */
export function continueField(
  field: StepField,
  line: string,
  index: number,
): "taken" | "refused" | "overlong" {
  if (endsParagraph(line)) return "refused";
  const listed = listItemAt(line);
  const at = listed?.content ?? contentStart(line);
  const text = line.slice(at).trim();
  if (listed ? !awaitsList(field) : !goesOn(field, text)) return "refused";
  const wasLong = field.length > MAX_LINE_LENGTH;
  field.length += text.length + 1;
  if (field.length > MAX_LINE_LENGTH) return wasLong ? "taken" : "overlong";
  if (listed && field.pieces.length > 1) field.pieces.push({ index, at, text: "," });
  field.pieces.push({ index, at, text });
  return "taken";
}

/** `Depends on` with nothing behind it announces a list, also across the blank line that formatters put there. */
export const awaitsList = ({ is, pieces }: StepField): boolean => is === "depends" && pieces[0]!.text === "";

const endsParagraph = (line: string): boolean =>
  headingAt(line) !== undefined || /^ {0,3}(?:[>|]|---|\*\*\*)/.test(line) || labelsAt(line).length > 0;

/** References are a paragraph; a commit message is a line; a list of steps ends where it stops being one. */
function goesOn({ is, pieces }: StepField, next: string): boolean {
  if (is === "depends") return stepsGoOn(pieces, next);
  return is === "references" || depthOf(pieces, (character) => (character === "`" ? 1 : 0)) % 2 === 1;
}

/**
 * Whether a list of steps continues in the next line: it stopped in the middle, or that line starts with a step.
 *
 * Without a blank line in between, any prose behind `Depends on` belongs to the same paragraph; it must not be searched
 * for steps.
 */
function stepsGoOn(pieces: readonly Piece[], next: string): boolean {
  return (
    /[,;&(+]$|\b(?:and|through|thru|to|plus)$/i.test(pieces.at(-1)!.text.slice(-16)) ||
    /^(?:#|`#|\[#|\[?steps? |and #|and \[|through )/i.test(next) ||
    depthOf(pieces, (character) => (character === "(" ? 1 : character === ")" ? -1 : 0)) > 0
  );
}

/** Counts what opens and closes. Texts of many lines are never open: counting again for each would cost their square. */
function depthOf(pieces: readonly Piece[], weigh: (character: string) => number): number {
  if (pieces.length > 20) return 0;
  let depth = 0;
  for (const { text } of pieces) for (const character of text) depth += weigh(character);
  return depth;
}

export function fieldText(pieces: readonly Piece[] | undefined): string | undefined {
  const text = (pieces ?? []).map((piece) => piece.text).join(" ");
  return text === "" ? undefined : text;
}

/** A message is often code as a whole, and sometimes has code in it; only the former is decoration. */
export function commitMessageOf(pieces: readonly Piece[] | undefined): string | undefined {
  const text = fieldText(pieces);
  return text?.startsWith("`") ? text.replaceAll("`", "").trim() || undefined : text;
}
