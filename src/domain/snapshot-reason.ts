/** Why Pawl takes snapshots for a session, in the words that people see; what a snapshot proves is read from them. */

export const afterCommand = (session: string): string => `${of(session)}${AFTER_COMMAND}`;

export const whenInterrupted = (session: string, type: string): string =>
  `${of(session)}${INTERRUPTED} (${type})`;

export const whenAbandoned = (session: string): string => `${of(session)}abandoned`;

export const whenStopped = (session: string): string =>
  `${of(session)}its runner was stopped, and its step taken over`;

export const beforeRestoring = (session: string): string => `${of(session)}${BEFORE_RESTORING}`;

const of = (session: string): string => `session ${session}: `;

const AFTER_COMMAND = "after a command";
const INTERRUPTED = "interrupted";
const BEFORE_RESTORING = "before files that lost their content are put back";

/** Whether the session itself took it, while it was at work: then the files in it are as the session left them. */
export const isOfWork = (because: string, session: string): boolean =>
  [AFTER_COMMAND, INTERRUPTED].some((when) => because.startsWith(`${of(session)}${when}`));

/** Whether it was taken to keep files as a power cut had left them. */
export const isOfLosses = (because: string): boolean => because.endsWith(BEFORE_RESTORING);
