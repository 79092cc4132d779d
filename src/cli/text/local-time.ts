import { fromInstant, type Instant } from "../../domain/instant.ts";

/** `09:37:53`, by the clock on the wall of whoever reads it. */
export function timeOfDay(instant: Instant): string {
  const date = new Date(fromInstant(instant));
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
}

/** `2026-11-16 09:37:53`, likewise. Programs read the envelope, which has instants. */
export function localTime(instant: Instant): string {
  const date = new Date(fromInstant(instant));
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(two).join("-");
  return `${day} ${timeOfDay(instant)}`;
}

/** Instants inside a longer text, as people read them. */
export const localTimes = (text: string): string => text.replace(INSTANT, localTime);

const INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

const two = (part: number): string => String(part).padStart(2, "0");
