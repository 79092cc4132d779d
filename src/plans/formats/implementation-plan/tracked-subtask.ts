import type { StepState } from "../plan-format.ts";
import type { Child } from "./outline.ts";

/** A subtask of the file that the store knows too. */
export interface TrackedSubtask {
  readonly child: Child;
  readonly state: StepState;
}
