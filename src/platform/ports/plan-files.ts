import type { CommittedFile } from "./git.ts";

/** What a file or folder looks like from outside, at one moment. */
export interface FileStamp {
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly isFile: () => boolean;
}

/** Where plans lie. A plan is known by its path under the top level of its worktree, after symlinks. */
export interface PlanFiles {
  /** The key of a plan named on the command line; the file itself may be gone. */
  readonly locate: (operand: string) => PlanLocation;
  /** The plan with this key, wherever the caller stands. */
  readonly find: (key: string) => PlanLocation;
  /** One read: what is hashed is what is parsed. Refuses what is no regular file or too large, before reading. */
  readonly read: (location: PlanLocation) => PlanContent;
  /**
   * The plan of the main checkout with its committed files in place of those that lie there; what the commit does not
   * have counts as it lies. Undefined where the plan is not read from the main checkout, or no commit has it.
   */
  readonly readCommitted: (
    location: PlanLocation,
    committed: readonly CommittedFile[],
  ) => PlanContent | undefined;
  /** Files in the usual places that look like plans, as keys. */
  readonly search: () => readonly string[];
  /** Other Markdown files there that have open boxes: perhaps plans, but no one named them so. */
  readonly checklists: () => readonly string[];
  /** Whether any worktree of the repository still has the file. */
  readonly existsAnywhere: (key: string) => boolean;
}

export interface PlanLocation {
  readonly key: string;
  /** Absolute path; undefined when no file is there. */
  readonly path: string | undefined;
  /** What the file looked like when it was located; a reader need not check again. */
  readonly look?: FileStamp;
}

export interface PlanContent {
  readonly bytes: Uint8Array;
  /** The same as the files of a folder, where that is what they were made from. */
  readonly folder?: PlanFolder;
  /** SHA-256 of the bytes in lower-case hex, worked out when it is asked for. */
  readonly hash: string;
  /** True when the plan is a folder of files; the bytes are then all of them together, as `foldFolder` has them. */
  readonly isFolder?: boolean;
  /** The name of the one file that a folder is read from. */
  readonly file?: string;
}

/** The files of a folder that is a plan, as they were found. */
export interface PlanFolder {
  readonly files: readonly FolderFile[];
  /** Names of files that were put away, as done. */
  readonly archived: readonly string[];
}

export interface FolderFile {
  readonly name: string;
  /** Undefined when it could not be read. */
  readonly text: string | undefined;
  /** Why it could not be read. */
  readonly problem?: string | undefined;
}
