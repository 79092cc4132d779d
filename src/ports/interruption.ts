/** Signals by which people and systems ask a run to end. */
export type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** Whether somebody asked to stop. Work in a handler is minimal: it only says so here. */
export interface Interruption {
  readonly signal: () => StopSignal | undefined;
  /** Called when a signal comes, and again at the next one; answers with how to stop listening. */
  readonly listen: (heard: () => void) => () => void;
}

/** Nobody asks. */
export const NEVER: Interruption = { signal: () => undefined, listen: () => () => undefined };
