/**
 * Instants are text: ISO-8601, UTC, three decimals, `Z`. Made and read only here.
 *
 * One width and one zone make text order time order, so SQL may compare them as they are.
 */
export type Instant = string;

export function toInstant(epochMs: number): Instant {
  const ms = Math.trunc(clampMs(epochMs));
  const second = Math.floor(ms / 1000);
  // Calls come many in a second, and the calendar is the slow part.
  if (second !== last.second) last = { second, text: upToSecond(second) };
  return `${last.text}${padded(ms - second * 1000, 3)}Z`;
}

/** Not by `toISOString`: its first call finds out where on earth it is, and takes as long as a statement. */
function upToSecond(second: number): string {
  const at = new Date(second * 1000);
  const date = [padded(at.getUTCFullYear(), 4), padded(at.getUTCMonth() + 1), padded(at.getUTCDate())];
  const time = [padded(at.getUTCHours()), padded(at.getUTCMinutes()), padded(at.getUTCSeconds())];
  return `${date.join("-")}T${time.join(":")}.`;
}

const padded = (value: number, width = 2): string => String(value).padStart(width, "0");

/** The second that was last made into text, up to the point behind it. */
let last: { readonly second: number; readonly text: string } = { second: Number.NaN, text: "" };

export const fromInstant = (instant: Instant): number => Date.parse(instant);

/** Beyond the year 9999 ISO text grows a sign and sorts wrongly; before 0000 likewise. */
const clampMs = (epochMs: number): number =>
  Math.min(Math.max(epochMs, -62_167_219_200_000), 253_402_300_799_999);
