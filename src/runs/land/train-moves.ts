import type { ClaimedStep } from "../../steps/index.ts";
import type { Worker } from "../work/worker.ts";

/**
 * Wakes steps that wait in the train of this process, instead of letting each of them ask again and again.
 *
 * The train itself is in the store. Where a step of another process is ahead, only asking helps.
 */
let moves = 0;
const listeners = new Set<() => void>();
const riders = new Map<string, number>();

/** How often the train of this process has moved: what was read before a move may be old. */
export const trainMoves = (): number => moves;

/** A step said which tree it will be, landed, or left. */
export function trainMoved(): void {
  moves += 1;
  for (const wake of listeners) wake();
}

type Rider = Pick<ClaimedStep, "plan" | "anchor">;

const keyOf = ({ plan, anchor }: Rider): string => `${plan}\0${anchor}`;

/** While `work` is done a step is taken to land from here, and the steps that wait behind it learn of its end. */
export async function riding<T>(step: Rider, work: () => Promise<T>): Promise<T> {
  const key = keyOf(step);
  riders.set(key, (riders.get(key) ?? 0) + 1);
  try {
    return await work();
  } finally {
    const left = riders.get(key)! - 1;
    if (left === 0) riders.delete(key);
    else riders.set(key, left);
    trainMoved();
  }
}

/** How often a step looks whether a step of another process has moved, and whether one of this process was held up from outside. */
const LOOK_MS = { elsewhere: 40, here: 1000 } as const;

/** Waits until the train may have moved since `seen`, or a person asks the run to end. */
export async function untilTrainMoves(
  { running, interruption }: Worker,
  { seen, behind }: { readonly seen: number; readonly behind: Rider | undefined },
): Promise<void> {
  if (moves !== seen) return;
  const wake = new AbortController();
  const onMove = () => wake.abort();
  listeners.add(onMove);
  const deafen = interruption.listen(onMove);
  const isHere = behind !== undefined && riders.has(keyOf(behind));
  await running.sleep(isHere ? LOOK_MS.here : LOOK_MS.elsewhere, wake.signal);
  deafen();
  listeners.delete(onMove);
}
