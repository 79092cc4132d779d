import type { ProcessIdentity } from "./processes.ts";

/** One line of the system's table of processes. */
export interface ProcessEntry extends ProcessIdentity {
  readonly parent: number;
  readonly group: number;
  /** The number of its session; a process can leave its group and still be in its session. */
  readonly session: number;
  /** It has a terminal, so a person may be using it. */
  readonly hasTerminal: boolean;
  /** Dead, and only waits for its parent to notice. */
  readonly zombie: boolean;
}

/** The processes of this machine, as far as this user may look at them. */
export interface ProcessTable {
  readonly list: () => readonly ProcessEntry[];
  readonly entry: (pid: number) => ProcessEntry | undefined;
  /** Whether a process was started with this variable. False where that cannot be seen. */
  readonly hasVariable: (pid: number, name: string, value: string) => boolean;
  /** What the variables are called that it was started with; undefined where that cannot be seen for sure. */
  readonly variableNames: (pid: number) => readonly string[] | undefined;
  /** What its standard streams are connected to, in the system's own words; empty where that cannot be seen. */
  readonly streams: (pid: number) => readonly string[];
  /** Where it works; undefined where that cannot be seen, and for processes of other users. */
  readonly folder: (pid: number) => string | undefined;
  /** Whether it has a file open below a folder, or names it on its command line. False where that cannot be seen. */
  readonly touches: (pid: number, folder: string) => boolean;
  /** A negative number means a group. False when there is no process to get the signal. */
  readonly send: (target: number, signal: ProcessSignal) => boolean;
}

export type ProcessSignal = "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGKILL" | "SIGSTOP" | "SIGCONT";
