import {
  cycleText,
  findCycles,
  type GraphEdge,
  type GraphNode,
  layers,
  type PlanStep,
} from "../../domain/index.ts";
import type { Report } from "./diagnostics.ts";

/**
 * Reports steps that wait for each other, where the first written dependency of the cycle stands.
 *
 * A completed step waits for nothing, so a cycle with one in it stops no work. The steps come back without what the
 * completed ones of such a cycle waited for: code that follows dependencies may rely on their having an end.
 */
export function reportCycles(topLevel: readonly PlanStep[], report: Report): readonly PlanStep[] {
  // Of two steps with one anchor the first counts; that there are two is reported elsewhere.
  const steps = new Map<string, PlanStep>();
  const nodes: GraphNode[] = [];
  const add = (step: PlanStep, parent: string | undefined) => {
    if (steps.has(step.anchor)) return;
    steps.set(step.anchor, step);
    nodes.push({ anchor: step.anchor, parent });
  };
  for (const step of topLevel) {
    add(step, undefined);
    for (const substep of step.substeps) add(substep, step.anchor);
  }
  const edges: GraphEdge[] = [];
  for (const { anchor, dependsOn } of steps.values())
    for (const dependency of dependsOn) edges.push({ from: anchor, to: dependency.anchor });
  const cycles = findCycles(nodes, edges);
  if (cycles.length === 0) return topLevel;

  const isDone = (anchor: string) => steps.get(anchor)?.progress?.status === "completed";
  const say = (name: "plan/cycle" | "plan/finished-cycle", cycle: readonly string[], what: string) =>
    report(
      name,
      { line: writtenAt(cycle, steps) ?? steps.get(cycle[0]!)!.line, column: 1 },
      () => `${what}: ${cycleText(short(cycle))}.`,
    );
  const open = edges.filter(({ from }) => !isDone(from));
  for (const cycle of findCycles(nodes, open)) say("plan/cycle", cycle, "These steps wait for each other");
  const settled = cycles.filter((cycle) => cycle.some(isDone));
  for (const cycle of settled)
    say("plan/finished-cycle", cycle, "These steps name each other, and at least one of them is done");
  if (settled.length === 0) return topLevel;
  const endless = new Set(nodes.map(({ anchor }) => anchor));
  for (const anchor of layers(nodes, edges).flat()) endless.delete(anchor);
  const settle = (step: PlanStep): PlanStep => {
    const substeps = step.substeps.map(settle);
    if (!isDone(step.anchor)) return { ...step, substeps };
    const settled = step.dependsOn.filter(({ anchor }) => endless.has(anchor));
    return {
      ...step,
      substeps,
      settled: [...(step.settled ?? []), ...settled],
      dependsOn: step.dependsOn.filter((one) => !settled.includes(one)),
    };
  };
  return topLevel.map(settle);
}

/** That a step waits for its substeps is written nowhere, so not every edge of a cycle has a line. */
function writtenAt(cycle: readonly string[], steps: ReadonlyMap<string, PlanStep>): number | undefined {
  for (const [index, anchor] of cycle.entries()) {
    const next = cycle[(index + 1) % cycle.length];
    const written = steps.get(anchor)!.dependsOn.find((dependency) => dependency.anchor === next);
    if (written) return written.line;
  }
  return undefined;
}

const MOST_SHOWN = 12;

const short = (cycle: readonly string[]): readonly string[] =>
  cycle.length <= MOST_SHOWN
    ? cycle
    : [...cycle.slice(0, MOST_SHOWN - 2), `… ${cycle.length - MOST_SHOWN + 1} more …`, cycle.at(-1)!];
