import type { OptionName, Preview } from "../wire.ts";
import type { PageContext } from "../page-context.ts";

/** What an action is about. Which of these it needs, it says itself. */
export interface ActionSubject {
  readonly plan: string | undefined;
  readonly step: string | undefined;
  readonly session: string | undefined;
  readonly worktree: string | undefined;
  /** Of a finding: its rule, what it is about, and the key of a choice. */
  readonly rule: string | undefined;
  readonly subject: string | undefined;
  readonly key: string | undefined;
  /** What a person chose in the fields of its preview. */
  readonly options: Readonly<Partial<Record<OptionName, string>>>;
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
  readonly preview: (context: PageContext, subject: ActionSubject) => Promise<Preview>;
  readonly act: (context: PageContext, subject: ActionSubject, decision: Decision) => Promise<object>;
}
