import type { Dependency } from "../../../domain/index.ts";
import { quote, type Report } from "../diagnostics.ts";
import { type BoxStep, boxPosition } from "./outline.ts";
import { mentionedIds } from "./task-text.ts";

/** Phases full of parallel tasks wait for each other task by task. */
const MOST_EDGES = 200_000;

/** What each step waits for, by anchor. A deferred or optional step waits like any other, but no step waits for it. */
export function boxDependencies(
  steps: readonly BoxStep[],
  parents: ReadonlyMap<BoxStep, BoxStep>,
  isDeferred: (step: BoxStep) => boolean,
  report: Report,
): ReadonlyMap<BoxStep, readonly Dependency[]> {
  const order = steps.some(({ words }) => words.isSpecKit)
    ? inPhases(steps, isDeferred)
    : oneByOne(steps, parents, isDeferred);
  const byId = new Map<string, number>();
  for (const [index, { words }] of steps.entries())
    if (words.isSpecKit && !byId.has(keyOf(words.id!))) byId.set(keyOf(words.id!), index);
  const result = new Map<BoxStep, readonly Dependency[]>();
  let left = MOST_EDGES;
  for (const [index, step] of steps.entries()) {
    const line = step.box.line + 1;
    const implied = (order.get(step) ?? []).map(({ anchor }) => ({ anchor, line, implied: true as const }));
    const written = step.words.isSpecKit
      ? mentioned(step, index, byId, report).map((target) => ({ anchor: steps[target]!.anchor, line }))
      : [];
    const edges = written.length === 0 ? implied : withWritten(implied, written);
    left -= edges.length;
    if (left < 0) {
      report(
        "plan/too-many-dependencies",
        boxPosition(step.box),
        () => `The phases have more than ${MOST_EDGES} dependencies between their tasks.`,
      );
      return result;
    }
    result.set(step, edges);
  }
  return result;
}

/** What is written counts before what only the order says. */
function withWritten(implied: readonly Dependency[], written: readonly Dependency[]): readonly Dependency[] {
  const edges = new Map<string, Dependency>();
  for (const edge of [...implied, ...written]) edges.set(edge.anchor, edge);
  return [...edges.values()];
}

type Order = ReadonlyMap<BoxStep, readonly BoxStep[]>;

/** Boxes are done from top to bottom; substeps among themselves. */
function oneByOne(
  steps: readonly BoxStep[],
  parents: ReadonlyMap<BoxStep, BoxStep>,
  isDeferred: (step: BoxStep) => boolean,
): Order {
  const order = new Map<BoxStep, readonly BoxStep[]>();
  const last = new Map<BoxStep | undefined, BoxStep>();
  for (const step of steps) {
    const parent = parents.get(step);
    const before = last.get(parent);
    order.set(step, before ? [before] : []);
    if (!isDeferred(step)) last.set(parent, step);
  }
  return order;
}

/**
 * Within a phase a task waits for all before it; tasks marked `[P]` run side by side, behind the last unmarked one. A
 * phase waits for the one before it.
 */
function inPhases(steps: readonly BoxStep[], isDeferred: (step: BoxStep) => boolean): Order {
  const order = new Map<BoxStep, readonly BoxStep[]>();
  let entry: readonly BoxStep[] = [];
  let barrier: readonly BoxStep[] = [];
  let abreast: BoxStep[] = [];
  let phase: number | undefined;
  for (const step of steps) {
    if (phase !== step.box.group.phase) {
      entry = abreast.length > 0 ? abreast : barrier;
      barrier = entry;
      abreast = [];
      phase = step.box.group.phase;
    }
    order.set(step, step.words.isParallel || abreast.length === 0 ? barrier : abreast);
    if (isDeferred(step)) continue;
    if (step.words.isParallel) abreast.push(step);
    else {
      barrier = [step];
      abreast = [];
    }
  }
  return order;
}

const keyOf = (id: string): string => id.toUpperCase().replace("-", "");

/** Steps that the words name as needed. One that comes later cannot be meant: it waits for this one. */
function mentioned(
  { box, anchor }: BoxStep,
  index: number,
  byId: ReadonlyMap<string, number>,
  report: Report,
): readonly number[] {
  return mentionedIds(box.text).flatMap((id) => {
    const target = byId.get(keyOf(id));
    if (target !== undefined && target < index) return [target];
    report("plan/unread-reference", boxPosition(box), () =>
      target === undefined
        ? `${anchor} depends on ${quote(id)}, which is no task here.`
        : `${anchor} depends on ${quote(id)}, which does not come before it.`,
    );
    return [];
  });
}
