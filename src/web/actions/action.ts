import type { Workplace } from "../workplace.ts";

/** What an action is about. Which of these it needs, it says itself. */
export interface Subject {
  readonly plan: string | undefined;
  readonly step: string | undefined;
  readonly session: string | undefined;
  readonly worktree: string | undefined;
  /** Of a finding: its rule, what it is about, and the key of a choice. */
  readonly rule: string | undefined;
  readonly subject: string | undefined;
  readonly key: string | undefined;
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
  /** Takes something from somebody: the button says so. */
  readonly isGrave: boolean;
}

export interface Decision {
  readonly version: string;
  /** Repeating a call under the same id has no second effect. */
  readonly requestId: string;
  readonly reason: string | undefined;
}

export interface Action {
  readonly name: string;
  /** On its button. */
  readonly label: string;
  readonly about: string;
  readonly preview: (workplace: Workplace, subject: Subject) => Promise<Preview>;
  readonly act: (workplace: Workplace, subject: Subject, decision: Decision) => Promise<object>;
}
