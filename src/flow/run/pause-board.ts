/** Until when each agent cannot be used. All workers of a run look at the same board: a limit is the account's. */
export interface PauseBoard {
  readonly until: (agent: string) => number;
  readonly put: (agent: string, untilMs: number) => void;
  /** How many pauses of an agent followed each other without any work between them. */
  readonly count: (agent: string) => number;
  readonly clear: (agent: string) => void;
}

export function pauseBoard(): PauseBoard {
  const pauses = new Map<string, { readonly untilMs: number; readonly count: number }>();
  return {
    until: (agent) => pauses.get(agent)?.untilMs ?? 0,
    count: (agent) => pauses.get(agent)?.count ?? 0,
    put(agent, untilMs) {
      const before = pauses.get(agent);
      pauses.set(agent, {
        untilMs: Math.max(untilMs, before?.untilMs ?? 0),
        count: (before?.count ?? 0) + 1,
      });
    },
    clear: (agent) => pauses.delete(agent),
  };
}
