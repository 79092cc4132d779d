import { type ExitVerdict, pauseAfter } from "../../domain/index.ts";

/** Until when each agent cannot be used. All workers of a run look at the same board: a limit is the account's. */
export interface AgentPauses {
  /** The pause that lasts at this moment, if any. */
  readonly current: (agent: string, nowMs: number) => AgentPause | undefined;
  readonly put: (agent: string, pause: AgentPause, nowMs: number) => void;
  /** How many pauses of an agent followed each other without any work between them, and since when. */
  readonly row: (agent: string) => { readonly count: number; readonly sinceMs: number | undefined };
  /** It works: it was asked at that time and answered. What was asked before the pause says nothing about it. */
  readonly clear: (agent: string, askedMs: number) => void;
}

export interface AgentPause {
  /** Infinity where waiting does not help and a person must act. */
  readonly untilMs: number;
  readonly because: string;
}

interface Entry extends AgentPause {
  readonly count: number;
  readonly sinceMs: number;
  readonly toldMs: number;
}

export function agentPauses(): AgentPauses {
  const pauses = new Map<string, Entry>();
  return {
    current(agent, nowMs) {
      const entry = pauses.get(agent);
      return entry && entry.untilMs > nowMs ? entry : undefined;
    },
    put(agent, { untilMs, because }, nowMs) {
      const before = pauses.get(agent);
      // Workers that run into the same limit side by side report of one pause, not of several.
      const isSame = before !== undefined && before.untilMs > nowMs;
      pauses.set(agent, {
        because,
        untilMs: isSame ? Math.max(untilMs, before.untilMs) : untilMs,
        count: (before?.count ?? 0) + (isSame ? 0 : 1),
        sinceMs: before?.sinceMs ?? nowMs,
        toldMs: nowMs,
      });
    },
    row: (agent) => ({ count: pauses.get(agent)?.count ?? 0, sinceMs: pauses.get(agent)?.sinceMs }),
    clear(agent, askedMs) {
      if (askedMs >= (pauses.get(agent)?.toldMs ?? 0)) pauses.delete(agent);
    },
  };
}

/** Puts on the board what the end of an agent says about it; undefined when it can be asked again at once. */
export function notePause(
  pauses: AgentPauses,
  agent: string,
  verdict: ExitVerdict,
  nowMs: number,
): AgentPause | undefined {
  const said = pauseAfter(verdict, pauses.row(agent).count, nowMs);
  if (said === undefined) return undefined;
  const untilMs = said.kind === "wait" ? said.untilMs : Infinity;
  pauses.put(agent, { untilMs, because: said.because }, nowMs);
  return pauses.current(agent, nowMs);
}
