import type { Instant, ItemKind, ItemStatus } from "../../domain/index.ts";

/** Everything a prompt can be made from. What is not there is left out of the prompt. */
export interface PromptContext {
  readonly plan?: { readonly path: string; readonly title?: string | undefined } | undefined;
  readonly step?: PromptStep | undefined;
  /** Verdicts on earlier attempts, oldest first. */
  readonly verdicts: readonly PromptVerdict[];
  /** What was already done in this step or session, a line each: earlier commands, changed files, an interruption. */
  readonly done: readonly string[];
  /** What others have left for this step, such as a strategy. */
  readonly artifacts: readonly { readonly kind: string; readonly text: string }[];
  /** What the person wants the session to look at. */
  readonly focus?: string | undefined;
  readonly specId?: string | undefined;
  readonly iteration?: { readonly number: number; readonly most: number } | undefined;
  /** What is wrong with a plan that was written before, for whoever writes it again. */
  readonly diagnostics: readonly string[];
}

export interface PromptStep {
  readonly anchor: string;
  readonly title: string;
  /** The step's Markdown as the plan has it. */
  readonly body: string;
  readonly references?: string | undefined;
  readonly items: readonly PromptItem[];
  readonly substeps: readonly { readonly anchor: string; readonly title: string; readonly status: string }[];
}

export interface PromptItem {
  readonly kind: ItemKind;
  /** From 1, within its kind. */
  readonly ordinal: number;
  readonly text: string;
  readonly status: ItemStatus;
}

export interface PromptVerdict {
  readonly attempt: number;
  readonly passed: boolean;
  readonly at: Instant;
  /** What was checked, such as a command. */
  readonly checked: string;
  /** The end of what it printed. */
  readonly output: string;
}

/** One kind of prompt. Pure: the same context gives the same text. */
export interface Prompt {
  readonly about: string;
  readonly write: (context: PromptContext) => string;
}

export const EMPTY_CONTEXT: PromptContext = { verdicts: [], done: [], artifacts: [], diagnostics: [] };
