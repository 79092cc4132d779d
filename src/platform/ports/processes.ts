/** A process as the system knows it. A pid alone is reused; with the start time and the boot it is one process. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startedAt: string;
}

/** A process that another one comes from. */
export interface Ancestor extends ProcessIdentity {
  readonly group: number;
  readonly session: number;
  /** What its standard streams are connected to; only of the process itself. */
  readonly streams: readonly string[];
  /** The session that its environment named when it was started; undefined where that cannot be seen. */
  readonly mark: string | undefined;
  /** The worktree that was named with it. */
  readonly markedAt: string | undefined;
}

export interface Processes {
  /** This process and those it comes from, nearest first. */
  readonly lineage: () => Promise<readonly Ancestor[]>;
  readonly self: () => ProcessIdentity;
  /** False only when it is certain that this very process is gone; a zombie is gone. */
  readonly mayLive: (identity: ProcessIdentity) => boolean;
  /** True only when it is certain that this very process is stopped, as by Ctrl-Z, and waits to be continued. */
  readonly isStopped: (identity: ProcessIdentity) => boolean;
}
