/** Signals by which people and systems ask a run to end. */
export type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** Whether a person or the system asked to stop. Work in a handler is minimal: it only says so here. */
export interface Interruption {
  readonly signal: () => StopSignal | undefined;
  /** Called when a signal comes, and again at the next one; answers with how to stop listening. */
  readonly listen: (heard: () => void) => () => void;
  /** Done when a second signal comes, before Pawl leaves without waiting; answers with how to forget it. */
  readonly beforeLeaving: (act: () => Promise<unknown>) => () => void;
}

/** Never asks to stop. */
export const NEVER: Interruption = {
  signal: () => undefined,
  listen: () => () => undefined,
  beforeLeaving: () => () => undefined,
};
