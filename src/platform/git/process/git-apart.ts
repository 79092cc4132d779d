let isApart = false;

/**
 * From now on git, and what it runs, is in a session of its own: Ctrl-C in a terminal reaches Pawl alone.
 *
 * For a process that hears of signals and waits for its children. One that a signal simply ends keeps git beside it, so
 * that Ctrl-C ends a slow hook together with Pawl.
 */
export function keepGitApart(): void {
  isApart = true;
}

export const gitIsApart = (): boolean => isApart;
