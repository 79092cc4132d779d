import type { ExitVerdict } from "../../domain/index.ts";
import type { LimitReached } from "./run-answer.ts";
import type { BlockReason } from "./block-step.ts";
import type { BlockedWork } from "../../steps/index.ts";

/** How the work on one step ended. */
export type StepEnd =
  | { readonly kind: "completed"; readonly commit: string }
  | Blocked
  /** Another worker has the step. */
  | { readonly kind: "lost"; readonly because: string }
  | { readonly kind: "interrupted" }
  /** The run or the step has used what it may: a person decides whether it continues. */
  | { readonly kind: "limit"; readonly limit: LimitReached }
  | Paused;

/** A person must decide. */
export interface Blocked {
  readonly kind: "blocked";
  readonly reason: BlockReason;
  readonly note: string;
  /** What did not pass, as in the evidence, where verification blocked it. */
  readonly check?: string | undefined;
  /** Where its work is kept. */
  readonly kept?: BlockedWork | undefined;
  /** Where work is that conflicts with what landed, as it was: to show it, not to continue it. */
  readonly aside?: { readonly ref: string; readonly commit: string } | undefined;
  /** The last words of an agent that failed, safe to show. */
  readonly said?: readonly string[] | undefined;
  /** What its agents were refused, safe to show. */
  readonly refused?: readonly string[] | undefined;
  /** The last lines of the check that did not pass, safe to show. */
  readonly output?: readonly string[] | undefined;
  /** The file with the whole output of that check. */
  readonly log?: string | undefined;
}

/** The agent cannot work now, through no fault of the step's. */
export interface Paused {
  readonly kind: "paused";
  readonly agent: string;
  /** What it said; undefined where another worker has received it, and this one did not even ask. */
  readonly verdict: ExitVerdict | undefined;
}

/** `go`: the work continues, with what is said. */
export type StepResult<T> =
  | {
      readonly kind: "go";
      readonly value: T;
      /** In the conversation that the agent has had about the step. */
      readonly isContinued?: boolean;
    }
  | StepEnd;

export const lost = ({ because }: { readonly because: string }): StepEnd => ({ kind: "lost", because });
