import { INTERRUPTED_BY, shortSessions } from "../../domain/index.ts";
import { relativeTimes } from "./times.ts";

/**
 * A sentence that programs get, too, as people read it: times by how far they are, sessions by their short names, and
 * words for what the store has a code for.
 *
 * What stands in quotes is a title, and stays as it is.
 */
export function forPeople(text: string, nowMs: number): string {
  return text
    .split(/("[^"]*")/)
    .map((part, index) => (index % 2 === 1 ? part : plainly(part, nowMs)))
    .join("");
}

const plainly = (text: string, nowMs: number): string =>
  shortSessions(relativeTimes(text, nowMs))
    .replace(CODE, (code) => INTERRUPTED_BY[code] ?? code)
    // An outcome that begins with itself: `passed: passed: checklist`.
    .replace(/^(\w+): (?=\1\b)/, "");

/** A code stands in parentheses, alone or first. */
const CODE = /(?<=\()[a-z_]+(?=[,)])/g;
