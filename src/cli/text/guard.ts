import { OWN_SEQUENCES } from "./paint.ts";
import { safeText } from "../../domain/index.ts";

/**
 * The last thing between Pawl and a terminal: newline, tab and our own colours pass, nothing else that acts.
 *
 * Commands make foreign text safe where they place it. This holds where one of them forgot, so a forgotten call
 * costs an ugly line and not a person's clipboard. With `colour` false no escape passes at all.
 */
export function guard(text: string, colour: boolean): string {
  return text
    .split(colour ? KEPT_WITH_COLOUR : KEPT)
    .map((piece, index) => (index % 2 === 1 ? piece : safeText(piece)))
    .join("");
}

// Splitting by a pattern with one group leaves what it matched at the odd places.
const KEPT = /([\n\t])/;
const KEPT_WITH_COLOUR = new RegExp(`([\\n\\t]|${OWN_SEQUENCES})`);
