import { fromInstant, type Instant } from "../../domain/index.ts";
import { relativeTime } from "./times.ts";

const MINUTE = 60_000;
const SECOND = 1000;

/** How a lease stands, in words: `ends in 2h`, `ended 12m ago`. To the nearest minute: a lease just given is whole. */
export function timeLeft(until: Instant | null, nowMs: number = Date.now()): string {
  if (until === null) return "open-ended";
  const left = fromInstant(until) - nowMs;
  if (left <= 0) return `ended ${relativeTime(left)}`;
  if (left < SECOND) return "ends now";
  return `ends ${relativeTime(left < MINUTE ? left : Math.round(left / MINUTE) * MINUTE)}`;
}
