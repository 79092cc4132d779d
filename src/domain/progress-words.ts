import { fromInstant, type Instant } from "./instant.ts";
import { STOPPED_WORD } from "./session-words.ts";
import { dollars } from "./spending.ts";

/** How far work is: of one plan, or of several together. */
export interface ProgressFacts {
  readonly stepsTotal: number;
  readonly stepsCompleted: number;
  /** Steps that an agent works on, or that are being verified. */
  readonly stepsWorking: number;
  /** Steps whose runner is stopped, as by Ctrl-Z: nothing works on them. */
  readonly stepsStopped: number;
  /** Steps of a session that was cut off: it can be resumed. */
  readonly stepsInterrupted: number;
  /** Blocked or on hold. */
  readonly stepsBlocked: number;
  /** Pending steps that wait for one of those: no agent can begin them before a person acts. Only where one runs. */
  readonly stepsUnreachable: number;
  /** When the oldest session that works on it now began; null where none does. */
  readonly runningSince: Instant | null;
  /** How long the reachable steps take, judged by those that are done; null where none runs or too little is known. */
  readonly remainingMs: number | null;
  /** In dollars; null where no price is known. */
  readonly costUsd: number | null;
}

/** `2 interrupted`, `1 blocked`: the steps that no agent works on until a person acts. */
export const standstillWords = ({
  stepsInterrupted,
  stepsBlocked,
}: Pick<ProgressFacts, "stepsInterrupted" | "stepsBlocked">): readonly string[] => [
  ...(stepsInterrupted === 0 ? [] : [`${stepsInterrupted.toLocaleString("en")} interrupted`]),
  ...(stepsBlocked === 0 ? [] : [`${stepsBlocked.toLocaleString("en")} blocked`]),
];

/** The steps that agents do, or can do, without a person. */
export const reachableSteps = (facts: Omit<ProgressFacts, "remainingMs" | "costUsd">): number =>
  facts.stepsTotal -
  facts.stepsCompleted -
  facts.stepsStopped -
  facts.stepsInterrupted -
  facts.stepsBlocked -
  facts.stepsUnreachable;

/** Not while everything that runs is stopped: its time says nothing about the work. */
export const isAtWork = ({
  runningSince,
  stepsStopped,
  stepsWorking,
}: Pick<ProgressFacts, "runningSince" | "stepsStopped" | "stepsWorking">): boolean =>
  runningSince !== null && (stepsStopped === 0 || stepsWorking > 0);

/** `9/12`, `3 working`, `1 blocked`, `6 min`, `about 2 min left`, `$2.10`; what there is none of is left out. */
export function progressWords(facts: ProgressFacts, nowMs: number): readonly string[] {
  const { stepsTotal, stepsCompleted, stepsWorking, stepsStopped, runningSince, costUsd } = facts;
  return [
    `${stepsCompleted.toLocaleString("en")}/${stepsTotal.toLocaleString("en")}`,
    ...(stepsWorking === 0 ? [] : [`${stepsWorking} working`]),
    ...(stepsStopped === 0 ? [] : [`${stepsStopped} ${STOPPED_WORD}`]),
    ...standstillWords(facts),
    ...unreachableWords(facts),
    ...(runningSince === null || !isAtWork(facts)
      ? []
      : [roughTime(nowMs - fromInstant(runningSince)), ...leftWords(facts)]),
    ...(costUsd === null ? [] : [dollars(costUsd)]),
  ];
}

/** `3 wait for it`: for the step that was counted just before. */
function unreachableWords(facts: ProgressFacts): readonly string[] {
  const { stepsUnreachable, stepsStopped, stepsInterrupted, stepsBlocked } = facts;
  if (stepsUnreachable === 0) return [];
  const causes = stepsStopped + stepsInterrupted + stepsBlocked;
  // An optional step that no one has asked for is not counted.
  const cause = causes === 0 ? "optional steps" : causes === 1 ? "it" : "them";
  return [
    `${stepsUnreachable.toLocaleString("en")} ${stepsUnreachable === 1 ? "waits" : "wait"} for ${cause}`,
  ];
}

const leftWords = (facts: ProgressFacts): readonly string[] =>
  facts.remainingMs !== null
    ? [`about ${roughTime(facts.remainingMs)} left`]
    : reachableSteps(facts) > 0
      ? ["time left unknown"]
      : [];

/** `40 s`, `6 min`, `2 h 5 min`. */
export function roughTime(ms: number): string {
  const seconds = Math.max(Math.round(ms / 1000), 0);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest === 0 ? "" : ` ${rest} min`}`;
}
