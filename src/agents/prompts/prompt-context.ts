import type { Instant, ItemKind, ItemStatus } from "../../domain/index.ts";

/** Everything a prompt can be made from. What is not there is left out of the prompt. */
export interface PromptContext {
  readonly plan?: PromptPlan | undefined;
  readonly step?: PromptStep | undefined;
  /** Steps that are completed, in the order of the plan. */
  readonly earlier?: readonly PromptEarlier[] | undefined;
  /** What the steps that this one depends on have left: closing messages and artifacts. */
  readonly handovers?: readonly PromptHandover[] | undefined;
  /** What Pawl runs on the work once the agent has ended, as command lines. */
  readonly checks?: readonly string[] | undefined;
  /** What a person has sent to the agent, oldest first. */
  readonly messages?: readonly PromptMessage[] | undefined;
  /** What the agents of the step were refused by their permissions. */
  readonly refused?: readonly string[] | undefined;
  /** Verdicts on earlier attempts, oldest first. */
  readonly verdicts: readonly PromptVerdict[];
  /** Done so far in this step or session, a line each: earlier commands, changed files, an interruption. */
  readonly done: readonly string[];
  /** Notes that other agents left on this step, such as a strategy. */
  readonly artifacts: readonly { readonly kind: string; readonly text: string }[];
  /** What the person wants the session to focus on. */
  readonly focus?: string | undefined;
  readonly specId?: string | undefined;
  readonly iteration?: { readonly number: number; readonly most: number } | undefined;
  /** What is wrong with a plan that was written before, for the agent that writes it again. */
  readonly diagnostics: readonly string[];
}

export interface PromptPlan {
  readonly path: string;
  readonly title?: string | undefined;
  /** What the plan is for, in its author's words. */
  readonly goal?: string | undefined;
}

export interface PromptStep {
  readonly anchor: string;
  readonly title: string;
  /** Its place among the steps of the plan, from 1. */
  readonly number?: number | undefined;
  readonly total?: number | undefined;
  /** The step's Markdown without its items and fields, which are given by themselves. */
  readonly body: string;
  readonly references?: string | undefined;
  /** The full text of what the references name. */
  readonly passages?: readonly PromptPassage[] | undefined;
  /** What the references name and the plan does not define. */
  readonly unresolved?: readonly string[] | undefined;
  readonly items: readonly PromptItem[];
  readonly substeps: readonly PromptSubstep[];
}

export interface PromptSubstep {
  readonly anchor: string;
  readonly title: string;
  readonly status: string;
  readonly items?: readonly PromptItem[] | undefined;
}

export interface PromptPassage {
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

export interface PromptEarlier {
  readonly anchor: string;
  readonly title: string;
  readonly commit?: string | undefined;
}

export interface PromptHandover {
  readonly anchor: string;
  /** What it is: a closing message, or a kind of artifact. */
  readonly kind: string;
  readonly text: string;
}

export interface PromptMessage {
  readonly number: number;
  readonly at: Instant;
  readonly text: string;
  /** Whether an agent has got it before. */
  readonly isDelivered?: boolean | undefined;
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
