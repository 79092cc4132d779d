import type { Ports } from "../../platform/ports/index.ts";

/** What `gc` removes, and what each kind is called for people. */
export const GARBAGE_KINDS = {
  log: ["session's logs", "sessions' logs"],
  session: ["ended session", "ended sessions"],
  ref: ["kept ref", "kept refs"],
  branch: ["branch", "branches"],
  folder: ["leftover folder", "leftover folders"],
} as const;

export type GarbageKind = keyof typeof GARBAGE_KINDS;

/** One thing that can go without loss, found but not removed yet. */
export interface Garbage {
  readonly kind: GarbageKind;
  readonly name: string;
  /** What it takes up on disk; 0 where that is not known. */
  readonly bytes: number;
  readonly because: string;
  /** The command that brings it back, as long as git has its objects; null for what git does not keep. */
  readonly wayBack: string | null;
  /** False when it changed meanwhile and stays. */
  readonly remove: () => Promise<boolean>;
}

/** What every search needs to know. */
export interface Search {
  readonly ports: Ports;
  /** Older than this: epoch milliseconds. */
  readonly beforeMs: number;
  /** Plans of which every step is completed and merged into the base for that long, by path. */
  readonly finished: ReadonlySet<string>;
}
