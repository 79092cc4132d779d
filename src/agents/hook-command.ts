/** A hook must never stand in the way: whatever happens to it, the shell says that all is well. */
export const hookCommandLine = (name: string): string => `pawl hook ${name} || true`;
