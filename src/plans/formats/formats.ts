import { checklist } from "./checklist.ts";
import { type FormatName, isFormatName } from "./format-names.ts";
import { implementationPlan } from "./implementation-plan.ts";
import type { PlanFormat } from "./plan-format.ts";
import { taskFiles } from "./task-files.ts";
import { tugplan } from "./tugplan.ts";

/** The formats Pawl reads, in the order in which they are asked. */
const BY_NAME: { readonly [N in FormatName]: PlanFormat<N> } = {
  "task-files": taskFiles,
  "implementation-plan": implementationPlan,
  tugplan,
  checklist,
};

export const FORMATS: readonly PlanFormat[] = Object.values(BY_NAME);

/** Takes what nobody recognised, and says what it misses. */
export const FALLBACK: PlanFormat = tugplan;

export function formatOf(path: string, text: string, isFolder = false): PlanFormat {
  return (
    FORMATS.find((format) => (format.isFolder === true) === isFolder && format.recognises(path, text)) ??
    FALLBACK
  );
}

export const formatNamed = (name: string): PlanFormat | undefined =>
  isFormatName(name) ? BY_NAME[name] : undefined;
