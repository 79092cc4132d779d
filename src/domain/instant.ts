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
  if (second !== last.second) last = { second, text: new Date(second * 1000).toISOString().slice(0, 20) };
  return `${last.text}${String(ms - second * 1000).padStart(3, "0")}Z`;
}

/** The second that was last made into text, up to the point behind it. */
let last: { readonly second: number; readonly text: string } = { second: Number.NaN, text: "" };

export const fromInstant = (instant: Instant): number => Date.parse(instant);

/** Beyond the year 9999 ISO text grows a sign and sorts wrongly; before 0000 likewise. */
const clampMs = (epochMs: number): number =>
  Math.min(Math.max(epochMs, -62_167_219_200_000), 253_402_300_799_999);
