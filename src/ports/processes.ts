/** A process as the system knows it. A pid alone is reused; with the start time and the boot it is one process. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startedAt: string;
}

export interface Processes {
  readonly self: () => ProcessIdentity;
  /** False only when it is certain that this very process is gone; a zombie is gone. */
  readonly mayLive: (identity: ProcessIdentity) => boolean;
  /** True only when it is certain that this very process is stopped, as by Ctrl-Z, and waits to be continued. */
  readonly isStopped: (identity: ProcessIdentity) => boolean;
}
