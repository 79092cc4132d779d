import { Failure } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";

/** What `gc` removes, and what each kind is called for people. */
export const GARBAGE_KINDS = {
  log: ["session's logs", "sessions' logs"],
  session: ["ended session", "ended sessions"],
  ref: ["kept ref", "kept refs"],
  worktree: ["worktree with its branch", "worktrees with their branches"],
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
  /** Why it stays for now: git cannot say whether it may go. */
  readonly stays?: string | undefined;
  /** False when it changed meanwhile and stays. */
  readonly remove: () => Promise<boolean>;
}

/** What git cannot read beside it does not keep the rest from going. */
export const unreadable = (name: string, error: unknown): Garbage => {
  if (!(error instanceof Failure)) throw error;
  const because = "git cannot read what its branches lead to";
  const stays = `${because}; run \`pawl recover\` (${error.message})`;
  return { kind: "branch", name, bytes: 0, because, wayBack: null, stays, remove: async () => false };
};

/** What every search needs to know. */
export interface Search {
  readonly ports: Ports;
  /** Older than this: epoch milliseconds. */
  readonly beforeMs: number;
  /** Plans of which every step is completed and merged into the base for that long, by path. */
  readonly finished: ReadonlySet<string>;
  /** Sessions that are no longer offered to be resumed, by id. */
  readonly superseded: ReadonlySet<string>;
}
