import { fromInstant, type Instant } from "../../domain/instant.ts";
import { relativeTime } from "./layout.ts";

/** How a lease stands, in words: `ends in 1h 58m`, `ended 12m ago`. */
export function timeLeft(until: Instant | null, nowMs: number = Date.now()): string {
  if (until === null) return "open-ended";
  const left = fromInstant(until) - nowMs;
  return left > 0 ? `ends ${relativeTime(left)}` : `ended ${relativeTime(left)}`;
}
