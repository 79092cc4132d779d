import type { FindingView } from "../recovery/index.ts";
import type { RepairName } from "../recovery/rules/index.ts";

/*
 * What the server tells and the page reads, where both are to know it. Nothing of Node may be reached from here: the page
 * is compiled from it too.
 */

/** A finding of `pawl recover` as the page shows it. */
export interface FindingCard extends Omit<FindingView, "automatic" | "choices"> {
  readonly title: string;
  readonly automatic: OfferedRepair | null;
  readonly choices: readonly (OfferedRepair & { readonly key: string })[];
  /** Another one when the finding is another one. */
  readonly version: string;
}

/** What the page shows once: a finding, or those of one run. */
export interface MatterCard extends FindingCard {
  /** How many workers of a run it stands for; each has a finding of its own, and they are decided together. */
  readonly among: number;
}

export interface OfferedRepair {
  readonly repair: RepairName;
  /** The words of its label, without the key. */
  readonly label: string;
  readonly because: string;
}

/** What would happen, said before it does. */
export interface Preview {
  readonly title: string;
  /** What it is about, where the title does not say it. */
  readonly about?: string;
  /** On the button that does it, where the action's own label does not say it. */
  readonly button?: string;
  /** What changes, a sentence each. */
  readonly effects: readonly string[];
  /** What is kept or saved, a sentence each. */
  readonly keeps: readonly string[];
  /** What the decision is made on: when it is another one by then, nothing is done. */
  readonly version: string;
  readonly needsReason: boolean;
  /** What a person may choose before deciding; each choice is previewed anew. */
  readonly fields?: readonly PreviewField[];
  /** The lines that a file gets. */
  readonly adds?: readonly string[];
  /** The command line that does the same. */
  readonly command?: string;
  /** Takes something from a worker: the button says so. */
  readonly isGrave: boolean;
}

export interface PreviewField {
  readonly name: OptionName;
  readonly label: string;
  readonly kind: "choice" | "number" | "text" | "long" | "flag";
  /** Of a choice: its values; the first one stands for what the settings say. */
  readonly choices?: readonly string[];
  readonly placeholder?: string;
  /** Nothing is done while it is empty. */
  readonly isNeeded?: true;
}

/** What actions take beside their subject. */
export const OPTION_NAMES = [
  "agent",
  "workflow",
  "workers",
  "max_steps",
  "max_cost",
  "max_minutes",
  "wait",
  "hint",
  "name",
  "title",
  "text",
  "tasks",
  "after",
] as const;
export type OptionName = (typeof OPTION_NAMES)[number];

/** A command that was started from the page and works beside it. */
export interface Job {
  readonly id: number;
  readonly action: string;
  /** What it is about, for people. */
  readonly subject: string;
  readonly startedAt: string;
  readonly state: "running" | "done" | "failed";
  /** What the command answered, once it is over. */
  readonly answer: Readonly<Record<string, unknown>> | null;
}

type Snake<S extends string> = S extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : S;

/** The same as it comes over the wire: in snake_case. */
export type Wire<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer Each)[]
    ? readonly Wire<Each>[]
    : { readonly [Name in keyof T as Name extends string ? Snake<Name> : never]: Wire<T[Name]> };
