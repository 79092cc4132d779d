/** What `/proc/PID/stat` says of a process. */
export interface ProcStat {
  /** From the state on. */
  readonly fields: readonly string[];
  /** With the pid it is one process and no other: a pid is given again, and never at the same moment. */
  readonly startedAt: string;
  /** It has ended, and only its parent does not know yet. */
  readonly zombie: boolean;
  /** By a signal; one that a debugger holds is not. */
  readonly stopped: boolean;
}

/** The name before the state is in parentheses, and may hold spaces and parentheses itself. */
export function parseProcStat(text: string): ProcStat {
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state] = fields;
  return {
    fields,
    startedAt: fields[19] ?? "unknown",
    zombie: state === "Z" || state === "X",
    stopped: state === "T",
  };
}
