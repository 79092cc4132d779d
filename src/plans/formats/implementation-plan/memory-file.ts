import { type JsonDraft, member, objectNode, replaceValue } from "../../../platform/json/index.ts";
import type { StepState } from "../plan-format.ts";
import type { Child } from "./outline.ts";

/** A subtask of the file that the store knows too. */
export interface TrackedSubtask {
  readonly child: Child;
  readonly state: StepState;
}

/** Notes when a file of the memory was changed, where it has a place for that. */
export function stamp(draft: JsonDraft, now: string): void {
  const metadata = objectNode(member(draft.root, "metadata"));
  const updated = metadata && member(metadata, "last_updated");
  if (updated) draft.apply(replaceValue(draft.text, updated, now));
}
