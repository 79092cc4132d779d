import { cutOffAt } from "./cut-off.ts";
import type { Command, Lifeline } from "./types.ts";

/** What one step of one plan took, over all sessions. Commands without a step are summed by their name. */
export interface StepTime {
  readonly plan: string | null;
  readonly name: string;
  readonly ms: number;
}

export function lengthOf(command: Command, session: Lifeline, now: number): number {
  const end = command.ended_at ?? cutOffAt(command, session.spans, session);
  return Math.max((end === undefined ? now : Date.parse(end)) - Date.parse(command.started_at), 0);
}

/** The costliest first. Two plans may both have a step-1, so the plan is part of the key. */
export function timeByStep(sessions: readonly Lifeline[], now: number): readonly StepTime[] {
  const sums = new Map<string, StepTime>();
  for (const session of sessions)
    for (const command of session.spans) {
      const name = command.anchor ?? command.command;
      const key = JSON.stringify([session.plan_path, name]);
      const ms = (sums.get(key)?.ms ?? 0) + lengthOf(command, session, now);
      sums.set(key, { plan: session.plan_path, name, ms });
    }
  return [...sums.values()].toSorted((a, b) => b.ms - a.ms);
}
