import type { FoundStatus } from "../../../domain/index.ts";
import type { JsonArray, JsonNode, JsonObject } from "../../../platform/json/index.ts";
import type { FormatName } from "../format-names.ts";
import type { Showing } from "../shown-status.ts";

/** A kind of file that is a list of records, one for each task: where the list lies, what its fields are called, and its words. */
export interface RecordShape {
  readonly name: FormatName;
  /** What the file says it holds, for the refusal of one that is empty. */
  readonly about: string;
  readonly listIn: (root: JsonNode) => RecordList | undefined;
  readonly fields: RecordFields;
  /** By word in lower case; booleans are `true` and `false`. A task that was dropped is no step. */
  readonly statuses: ReadonlyMap<string, FoundStatus | "dropped">;
  /** What is written for a status; empty where only another program may write to the file. */
  readonly words: Readonly<Partial<Record<FoundStatus, string | boolean>>>;
  readonly showing: Showing;
  /** Whether tasks follow one another, by priority and then as listed; else only what they name is waited for. */
  readonly isInOrder: boolean;
}

export interface RecordList {
  readonly tasks: JsonArray;
  readonly title?: string | undefined;
  readonly context?: string | undefined;
  /** Lists beside it that are not read. */
  readonly others?: readonly { readonly name: string; readonly node: JsonNode }[];
}

/** For each thing that a task says, the names of the members that may hold it. */
export interface RecordFields {
  readonly id: readonly string[];
  readonly title: readonly string[];
  /** In the order in which they are shown, each with the heading over it; empty for none. */
  readonly text: readonly (readonly [name: string, heading: string])[];
  readonly items: readonly string[];
  readonly needs: readonly string[];
  readonly parts: readonly string[];
  readonly status: readonly string[];
  /** Members that say how far a task is too, in words of their own. What `status` says counts. */
  readonly beside?: { readonly names: readonly string[]; readonly statuses: RecordShape["statuses"] };
  /** Parts are tasks only where each of them has a status; else they are words of their task. */
  readonly needsTrackedParts?: true;
  readonly priority: readonly string[];
  /** Members that say nothing to an agent. */
  readonly unsaid?: readonly string[];
  /** Whether a record is a task at all, and why not. */
  readonly isNone?: (record: JsonObject) => string | undefined;
  /** Where what a task needs is more than a list of ids. */
  readonly needsOf?: (record: JsonObject, text: string) => readonly string[];
}

export const NO_STATUS_BUT_DONE: Showing = {
  instead: {
    in_progress: "pending",
    awaiting_verification: "pending",
    blocked: "pending",
    failed: "pending",
    on_hold: "pending",
  },
  resetsAbandoned: false,
};
