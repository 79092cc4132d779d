import type { FormatName } from "./format-names.ts";
import type {
  ItemKind,
  ItemStatus,
  NewStep,
  NewSubstep,
  Plan,
  PlanStep,
  StepStatus,
} from "../../domain/index.ts";
import type { PlanFolder } from "../../platform/ports/index.ts";

/** One way to write a plan. */
export interface PlanFormat<Name extends FormatName = FormatName> {
  readonly name: Name;
  /** The format that reads the same files in nearly the same way; choosing between the two is no close call. */
  readonly dialectOf?: FormatName;
  /** True for Markdown, where every box and every heading that names a task is accounted for. */
  readonly isMarkdown?: true;
  /** True when the plan is a folder of files; its text is then what `foldFolder` makes of them. */
  readonly isFolder?: true;
  /**
   * How surely a file is of this format, as one of the few numbers of `LIKENESS`. Fences and comments do not count. A folder
   * is weighed by the names of its files, one on each line.
   */
  readonly weigh: (path: string, text: string) => number;
  /** Never throws for what a plan may hold: what is wrong comes back as diagnostics. */
  readonly read: (text: string) => Plan;
  /** The same from the files themselves, for a plan that is a folder. */
  readonly readFolder?: (folder: PlanFolder) => Plan;
  /** How progress gets back into the file, for formats that carry it. */
  readonly writer?: PlanWriter;
  /** Gives a step substeps and keeps its words, for formats that have room for them; undefined where it cannot. */
  readonly breakDown?: (
    text: string,
    step: PlanStep,
    substeps: readonly NewSubstep[],
  ) => FileEdit | undefined;
  /** The plan's text with one more step behind the last one, where people write the format by hand; undefined where it cannot. */
  readonly appendStep?: (text: string, step: NewStep) => string | undefined;
  /** Says of a pending step that its substeps stand for it, for formats that have a word for that. */
  readonly markBrokenDown?: (text: string, step: PlanStep) => FileEdit | undefined;
}

export interface PlanWriter {
  /** Further files of the plan's folder that progress goes to. */
  readonly companions: readonly string[];
  /** The files as they should be. Pure, and the same states a second time change nothing more. */
  readonly write: (files: PlanText, progress: PlanProgress) => Written;
}

export interface Written {
  readonly edits: readonly FileEdit[];
  /** Files that could not be brought up to date, and stay as they are. */
  readonly problems: readonly FileProblem[];
}

export interface FileProblem {
  readonly name: string;
  readonly message: string;
}

export interface PlanText {
  /** What `read` gets, with its byte order mark if it has one. */
  readonly text: string;
  /** By name, those that are there; undefined where the plan has no folder of its own to keep them in. */
  readonly companions: ReadonlyMap<string, string> | undefined;
}

/** What the store knows, as far as it is written to files. */
export interface PlanProgress {
  readonly steps: ReadonlyMap<string, StepState>;
  /** An instant, for files that note when they were changed. */
  readonly now: string;
}

export interface StepState {
  readonly status: StepStatus;
  /** Nothing was done with the step since it was read from the file. */
  readonly isUntouched: boolean;
  /** A person took its completion back. */
  readonly isReopened: boolean;
  readonly blockReason: string | null;
  readonly blockNote: string | null;
  readonly verificationAttempts: number;
  /** Verdicts, oldest first. */
  readonly verdicts: readonly StepVerdict[];
  /** Null when it was not Pawl that saw it completed. */
  readonly completedAt: string | null;
  readonly commit: string | null;
  readonly title: string;
  readonly items: readonly {
    readonly kind: ItemKind;
    readonly ordinal: number;
    readonly status: ItemStatus;
  }[];
}

export interface StepVerdict {
  /** The number that the run gave it. */
  readonly attempt?: number;
  readonly outcome: "passed" | "failed" | "timed_out";
  readonly because: string;
  /** An instant; no two verdicts about a step have the same. */
  readonly at: string;
}

export interface FileEdit {
  /** Under the plan's folder; empty for the plan file itself. */
  readonly name: string;
  /** What was there when the edit was made; undefined when nothing was. */
  readonly before: string | undefined;
  readonly after: string;
}
