import type { PlanFormat } from "./plan-format.ts";
import { tugplan } from "./tugplan.ts";

/** The formats Pawl reads. The last one takes what nobody recognised, and says what it misses. */
export const FORMATS: readonly [...PlanFormat[], PlanFormat] = [tugplan];

export function formatOf(path: string, text: string): PlanFormat {
  return FORMATS.find((format) => format.recognises(path, text)) ?? FORMATS[FORMATS.length - 1]!;
}
