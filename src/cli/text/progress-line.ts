import { dollars, fromInstant, type Instant, STOPPED_WORD } from "../../domain/index.ts";

/** What the line is made of. */
export interface ProgressFacts {
  readonly stepsTotal: number;
  readonly stepsCompleted: number;
  readonly stepsWorking: number;
  readonly stepsStopped: number;
  readonly stepsBlocked: number;
  readonly runningSince: Instant | null;
  readonly remainingMs: number | null;
  readonly costUsd: number | null;
}

/** `9/12 · 3 working · 1 blocked · 6 min · about 2 min left · $2.10`; what there is none of is left out. */
export function progressLine(facts: ProgressFacts, nowMs: number): string {
  const { stepsTotal, stepsCompleted, stepsWorking, stepsStopped, stepsBlocked } = facts;
  const { runningSince, remainingMs, costUsd } = facts;
  return [
    `${stepsCompleted}/${stepsTotal}`,
    ...(stepsWorking === 0 ? [] : [`${stepsWorking} working`]),
    ...(stepsStopped === 0 ? [] : [`${stepsStopped} ${STOPPED_WORD}`]),
    ...(stepsBlocked === 0 ? [] : [`${stepsBlocked} blocked`]),
    ...(runningSince === null ? [] : [roughTime(nowMs - fromInstant(runningSince))]),
    ...(remainingMs === null ? [] : [`about ${roughTime(remainingMs)} left`]),
    ...(costUsd === null ? [] : [dollars(costUsd)]),
  ].join(" · ");
}

/** `40 s`, `6 min`, `2 h 5 min`. */
export function roughTime(ms: number): string {
  const seconds = Math.max(Math.round(ms / 1000), 0);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest === 0 ? "" : ` ${rest} min`}`;
}

/** `1:20`, minutes and seconds. */
export function clockTime(ms: number): string {
  const seconds = Math.max(Math.round(ms / 1000), 0);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
