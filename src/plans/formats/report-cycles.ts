import { cycleText, findCycles, type GraphEdge, type GraphNode, type PlanStep } from "../../domain/index.ts";
import type { Report } from "./diagnostics.ts";

/** Reports steps that wait for each other, where the first written dependency of the cycle stands. */
export function reportCycles(topLevel: readonly PlanStep[], report: Report): void {
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
  for (const cycle of findCycles(nodes, edges)) {
    const line = writtenAt(cycle, steps) ?? steps.get(cycle[0]!)!.line;
    report(
      "plan/cycle",
      { line, column: 1 },
      () => `These steps wait for each other: ${cycleText(short(cycle))}.`,
    );
  }
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
