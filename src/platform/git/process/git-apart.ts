let isApart = false;

/**
 * From now on git, and what it runs, is in a session of its own: Ctrl-C in a terminal reaches Pawl alone.
 *
 * For a process that hears of signals and waits for its children. One that a signal simply ends keeps git beside it, so
 * that Ctrl-C ends a slow hook together with Pawl.
 */
export function detachGit(): void {
  isApart = true;
}

export const isGitDetached = (): boolean => isApart;

let heard: { readonly signal: NodeJS.Signals; readonly atMs: number } | undefined;

/** Pawl itself was sent a signal. */
export function noteSignal(signal: NodeJS.Signals): void {
  heard = { signal, atMs: performance.now() };
}

/** From the start of a child to the moment in which Pawl hears of a signal that came meanwhile. */
const FORKING_MS = 50;

/**
 * Whether a git was ended before it began: by a signal to Pawl's own group, which a child leaves only once it runs.
 *
 * Starting a child waits until it is there or dead, and only then does the signal arrive. A git that is in its own session
 * hears none of those that a terminal sends, so one that Pawl's signal ended right after its start had done nothing.
 */
export const diedForking = (startedMs: number, signal: unknown): boolean =>
  isApart && heard !== undefined && heard.signal === signal && heard.atMs - startedMs < FORKING_MS;
