/** Files that runs leave behind in Pawl's own folders. */
export interface Leftovers {
  /** The folders of logs, one for each session, named after it. */
  readonly logs: () => readonly LeftFolder[];
  /** Working folders of commands that were killed: none of them belongs to a process that lives. */
  readonly scratch: () => readonly LeftFolder[];
  /** Files of git's that were set aside because they were damaged, half made or left: folders, and single locks. */
  readonly aside: () => readonly LeftFolder[];
  /** Removes one that `logs`, `scratch` or `aside` gave; refuses any other path. True when it is gone. */
  readonly remove: (folder: LeftFolder) => boolean;
}

export interface LeftFolder {
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
  /** When its newest file was written. */
  readonly writtenAtMs: number;
}
