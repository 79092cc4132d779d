/**
 * Where a step stands, as people sort their work. A board has one column for each.
 *
 * Coarser than the status, and finer where it matters to people: a pending step is ready, or it waits for others.
 */
export const LANES = ["ready", "waiting", "working", "verifying", "stopped", "done"] as const;

export type Lane = (typeof LANES)[number];
