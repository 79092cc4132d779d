import { fromInstant } from "../../domain/instant.ts";
import { sessionName } from "../../domain/session-name.ts";
import { INTERRUPTED_BY } from "./interrupted-by.ts";
import { relativeTime } from "./layout.ts";

/**
 * A sentence that programs get, too, as people read it: times by how far they are, sessions by their short names, and
 * words for what the store has a code for.
 *
 * What stands in quotes is somebody's title, and stays as it is.
 */
export function calm(text: string, nowMs: number): string {
  return text
    .split(/("[^"]*")/)
    .map((part, index) => (index % 2 === 1 ? part : plainly(part, nowMs)))
    .join("");
}

const plainly = (text: string, nowMs: number): string =>
  text
    .replace(INSTANT, (_, word: string | undefined, instant: string) => when(word, instant, nowMs))
    .replace(SESSION, sessionName)
    .replace(CODE, (code) => INTERRUPTED_BY[code] ?? code)
    // An outcome that begins with itself: `passed: passed: checklist`.
    .replace(/^(\w+): (?=\1\b)/, "");

const INSTANT = /\b(?:(at|until) )?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/g;

/** The whole id, but not where it is a folder. */
const SESSION = /(?<![\w/\\-])s-[0-9a-f]{8}-[0-9a-f-]{27}(?![\w/\\-])/g;

/** A code stands in parentheses, alone or first. */
const CODE = /(?<=\()[a-z_]+(?=[,)])/g;

function when(word: string | undefined, instant: string, nowMs: number): string {
  const left = fromInstant(instant) - nowMs;
  const distance = relativeTime(left);
  if (word !== "until") return distance;
  return left > 0 ? distance.replace(/^in /, "for another ") : `until ${distance}`;
}
