import { checklist } from "./checklist.ts";
import { implementationPlan } from "./implementation-plan.ts";
import type { PlanFormat } from "./plan-format.ts";
import { taskFiles } from "./task-files.ts";
import { tugplan } from "./tugplan.ts";

/** The formats Pawl reads, in the order in which they are asked. */
export const FORMATS: readonly PlanFormat[] = [taskFiles, implementationPlan, tugplan, checklist];

/** Takes what nobody recognised, and says what it misses. */
export const FALLBACK: PlanFormat = tugplan;

export function formatOf(path: string, text: string, isFolder = false): PlanFormat {
  return (
    FORMATS.find((format) => (format.isFolder === true) === isFolder && format.recognises(path, text)) ??
    FALLBACK
  );
}

export const formatNamed = (name: string): PlanFormat | undefined =>
  FORMATS.find((format) => format.name === name);
