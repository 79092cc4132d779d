import { type ProgressFacts, progressWords } from "../../domain/index.ts";

/** `9/12 · 3 working · 1 blocked · 6 min · about 2 min left · $2.10`, as the page's header has it. */
export const progressLine = (facts: ProgressFacts, nowMs: number): string =>
  progressWords(facts, nowMs).join(" · ");

/** `1:20`, minutes and seconds. */
export function clockTime(ms: number): string {
  const seconds = Math.max(Math.round(ms / 1000), 0);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
