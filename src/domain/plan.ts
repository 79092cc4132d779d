/**
 * A plan as its format read it: words and structure, and what the file itself says about progress.
 *
 * Every format ends here, and everything after it knows only this.
 */
export interface Plan {
  readonly format: string;
  /** Title of the phase, else the first heading, else undefined. */
  readonly title: string | undefined;
  /** The fields of the metadata table, in file order. */
  readonly metadata: readonly (readonly [field: string, value: string])[];
  /** Top-level steps in file order; substeps sit inside their step. */
  readonly steps: readonly PlanStep[];
  /** What the plan says to all of its steps: goal, architecture, constraints. Empty or left out where it says nothing. */
  readonly context?: string;
  /** What must hold when every step is done: validation commands, a closing checklist. */
  readonly checks?: readonly PlanCheck[];
  /** Boxes, task headings and entries of the file that are no step, no item and no check, each with the reason. */
  readonly leftOut?: readonly LeftOut[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Something that must hold for the whole plan. */
export interface PlanCheck {
  readonly text: string;
  readonly line: number;
  /** A command that shows it, where the plan names one. Pawl runs none that is not in its own settings. */
  readonly command: string | undefined;
}

export interface LeftOut {
  readonly line: number;
  readonly text: string;
  /** One of few sentences, so that equal ones can be counted. */
  readonly why: string;
}

export interface PlanStep {
  /** Unique in the plan, without `#`. */
  readonly anchor: string;
  readonly title: string;
  /** The title as the file has it, where that has marks besides; then the step is known by this. */
  readonly markedTitle?: string;
  /** 1-based line of the heading. */
  readonly line: number;
  readonly dependsOn: readonly Dependency[];
  /** What it does not wait for any more, because it is done and they wait for it. */
  readonly settled?: readonly Dependency[];
  readonly items: readonly PlanItem[];
  readonly substeps: readonly PlanStep[];
  /** The text of the `Commit` line without its backticks. */
  readonly commit: string | undefined;
  /** The text of the `References` line. */
  readonly references: string | undefined;
  /** The step's Markdown, heading excluded, substeps excluded. */
  readonly body: string;
  /** The part of the text that the step is known by, where a change of the rest makes it no other step. */
  readonly meaning?: string;
  /** The headings over it, where they and its words are what it is known by; empty where there are none. */
  readonly section?: string;
  /** What the file says about the step's turn, where that is more than its dependencies: phase and marks. */
  readonly order?: string;
  /** How far the step is by its file; only formats that carry status say so. */
  readonly progress?: StepProgress;
  /** How the step is to be verified, where its format has a place for that. */
  readonly verification?: StepVerification;
  /** The plan can be done without it: no step waits for it, and it is worked on only when a person asks for it. */
  readonly isOptional?: true;
}

/** What a file says about a step. It counts when the step is saved for the first time; from then on the store does. */
export interface StepProgress {
  readonly status: FoundStatus;
  /** Why it is blocked, in one of Pawl's own words, such as `verification_timeout`. */
  readonly reason: string | undefined;
  /** The file's own words about it. */
  readonly note: string | undefined;
  readonly verificationAttempts: number;
  /** When the file was last touched for this step, as it is written there. */
  readonly updatedAt: string | undefined;
}

const FOUND_STATUSES = [
  "pending",
  "in_progress",
  "awaiting_verification",
  "completed",
  "blocked",
  "failed",
  "on_hold",
] as const;
export type FoundStatus = (typeof FOUND_STATUSES)[number];

export interface StepVerification {
  /** `command`, `api`, `browser`, `component`, `e2e`, `manual` or `none`; other words stay as they are. */
  readonly type: string;
  readonly command: string | undefined;
  readonly text: string;
}

export interface Dependency {
  readonly anchor: string;
  readonly line: number;
  /** It follows from the order of the file and not from words of the step, so it may change without changing the step. */
  readonly implied?: true;
}

export const ITEM_KINDS = ["task", "test", "checkpoint"] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

export const ITEM_STATUSES = ["open", "in_progress", "completed", "deferred"] as const;
export type ItemStatus = (typeof ITEM_STATUSES)[number];

/** Whether something is still to be done about an item. One that was put off with a reason keeps no step waiting. */
export const isOpenItem = ({ status }: { readonly status: ItemStatus }): boolean =>
  status !== "completed" && status !== "deferred";

export interface PlanItem {
  readonly kind: ItemKind;
  readonly text: string;
  readonly line: number;
  /** What the box in the file says; a plan's own ticks are information, not progress. */
  readonly box: "open" | "ticked" | "deferred" | "dropped";
  /** The step can be completed without it. */
  readonly isOptional?: true;
}

/** Items with their places in the store: counted from 0 within each kind. People count from 1. */
export function withOrdinals<T extends Pick<PlanItem, "kind">>(
  items: readonly T[],
): readonly (T & { readonly ordinal: number })[] {
  const next = { task: 0, test: 0, checkpoint: 0 };
  return items.map((item) => ({ ...item, ordinal: next[item.kind]++ }));
}

export type Severity = "error" | "warning" | "info";

/** One oddity of a plan file, with the place and what to do about it. */
export interface Diagnostic {
  readonly code: string;
  readonly name: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint: string;
  /** The file of a folder that it is about; left out when the plan is one file. */
  readonly file?: string;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
}

/** Why a step is on hold that its plan can be done without: no step waits for it, and a person may ask for it. */
export const OPTIONAL = "optional";

/** Why a step is on hold that goes back to pending with its substeps. */
export const SUBSTEP_ON_HOLD = "substep_on_hold";

/** How the reason of a step begins that was done, by its file, before Pawl knew it. */
export const IN_THE_FILE = "in the plan file";

/** How the reason of a step begins that was done, by Tugstate's database, before Pawl knew it. */
export const IN_TUGSTATE = "completed in Tugstate";

/** How a step was done before Pawl knew it, for people; undefined where a person completed it by force. */
export function doneElsewhere(reason: string): string | undefined {
  if (reason.startsWith(IN_THE_FILE)) return `completed ${reason}`;
  return reason.startsWith(IN_TUGSTATE) ? reason : undefined;
}

/** Steps and substeps in declaration order, each with its parent: the order of `step_index`. */
export function flatten(
  plan: Plan,
): readonly { readonly step: PlanStep; readonly parent: string | undefined }[] {
  const rows: { step: PlanStep; parent: string | undefined }[] = [];
  for (const step of plan.steps) {
    rows.push({ step, parent: undefined });
    for (const substep of step.substeps) rows.push({ step: substep, parent: step.anchor });
  }
  return rows;
}

/** Checked on the opened file before it is read. */
export const MAX_PLAN_BYTES = 16 * 1024 * 1024;

/** Anchors are accepted with or without `#`. */
export const bareAnchor = (text: string): string => (text.startsWith("#") ? text.slice(1) : text);
