import { fromInstant, type Instant } from "../../domain/index.ts";

/*
 * The two ways to tell people a time. Programs read the envelope, which has instants.
 *
 * By the clock: what is read later or beside other times, as a journal, a log, an explanation, a refusal, the end of a
 * pause. By its distance from now: what a person reads to decide, as a finding, a lease, a list of what there is.
 */

/** `09:37:53`, by the reader's clock. */
export function timeOfDay(instant: Instant): string {
  const date = new Date(fromInstant(instant));
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
}

/** `2026-11-16 09:37:53`, likewise. */
export function localTime(instant: Instant): string {
  const date = new Date(fromInstant(instant));
  if (Number.isNaN(date.getTime())) return instant;
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(two).join("-");
  return `${day} ${timeOfDay(instant)}`;
}

/** Instants inside a longer text, by the clock. */
export const localTimes = (text: string): string =>
  text.replace(INSTANT, (whole, _, instant: Instant) => whole.replace(instant, localTime(instant)));

/** Instants inside a longer text, by their distance: `ended 12m ago`, `waits for another 2h`. */
export const relativeTimes = (text: string, nowMs: number): string =>
  text.replace(INSTANT, (_, before: string | undefined, instant: Instant) => {
    const left = fromInstant(instant) - nowMs;
    const distance = relativeTime(left);
    if (before !== "until") return distance;
    return left > 0 ? distance.replace(/^in /, "for another ") : `until ${distance}`;
  });

/** With the word before it, which a distance has no use for. */
const INSTANT = /\b(?:(at|until) )?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/g;

/** How long something is over; its writer may have a clock that is ahead of ours. */
export const ago = (instant: Instant, nowMs: number): string =>
  relativeTime(Math.min(fromInstant(instant) - nowMs, 0));

const two = (part: number): string => String(part).padStart(2, "0");

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A distance from now, positive in the future: `in 1h 58m`, `12m ago`, `just now`. */
export function relativeTime(ms: number): string {
  const distance = Math.abs(ms);
  if (!Number.isFinite(distance)) return "at an unknown time";
  if (distance < SECOND) return "just now";
  const words = duration(distance);
  return ms > 0 ? `in ${words}` : `${words} ago`;
}

/** Two units at most, the second only where it still tells something; parts of a unit are dropped, not rounded up. */
function duration(ms: number): string {
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)}s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)}m`;
  if (ms < DAY) return join(Math.floor(ms / HOUR), "h", Math.floor((ms % HOUR) / MINUTE), "m");
  return join(Math.floor(ms / DAY), "d", Math.floor((ms % DAY) / HOUR), "h");
}

const join = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit} ${small}${smallUnit}`;
