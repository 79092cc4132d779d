import { criticalPath, layers } from "../../src/domain/plan-graph.ts";
import type { StepLine } from "../types.ts";

export const NODE = { width: 208, height: 46 };
const GAP = { across: 76, down: 16 };

export interface PlacedStep {
  readonly step: StepLine;
  readonly x: number;
  readonly y: number;
}

export interface Edge {
  readonly from: PlacedStep;
  readonly to: PlacedStep;
  readonly isCritical: boolean;
}

export interface Picture {
  readonly nodes: readonly PlacedStep[];
  readonly edges: readonly Edge[];
  /** The longest chain of what is still to be done. */
  readonly critical: ReadonlySet<string>;
  readonly width: number;
  readonly height: number;
}

/**
 * Puts steps in columns: each stands right of all it waits for.
 *
 * Inside a column steps stand near what they wait for, which keeps lines short. A column that would be much higher than
 * the whole is wide is folded, so a plan without dependencies is a block and not a line.
 */
export function placeSteps(all: readonly StepLine[]): Picture {
  const steps = all.filter(({ parent_anchor }) => parent_anchor === null);
  const byAnchor = new Map(steps.map((step) => [step.anchor, step]));
  const graph = {
    nodes: steps.map(({ anchor }) => ({ anchor, parent: undefined })),
    edges: steps.flatMap((step) =>
      (step.depends_on ?? []).filter((to) => byAnchor.has(to)).map((to) => ({ from: step.anchor, to })),
    ),
  };
  const placed = placeColumns(columnsOf(layers(graph.nodes, graph.edges), byAnchor, steps), steps.length);
  const open = new Set(steps.filter(({ lane }) => lane !== "done").map(({ anchor }) => anchor));
  const path = criticalPath(
    graph.nodes.filter(({ anchor }) => open.has(anchor)),
    graph.edges.filter(({ from, to }) => open.has(from) && open.has(to)),
  );
  const critical = new Map(path.length > 1 ? path.map((anchor, index) => [anchor, index]) : []);
  const edges = graph.edges.flatMap(({ from, to }) => {
    const [source, target] = [placed.at.get(to), placed.at.get(from)];
    return source && target
      ? [
          {
            from: source,
            to: target,
            isCritical: (critical.get(from) ?? 0) - (critical.get(to) ?? 0) === 1 && critical.has(to),
          },
        ]
      : [];
  });
  return {
    nodes: [...placed.at.values()],
    edges,
    critical: new Set(critical.keys()),
    width: placed.width,
    height: placed.height,
  };
}

/** Steps that wait for themselves have no layer; they stand at the end rather than nowhere. */
function columnsOf(
  found: readonly (readonly string[])[],
  byAnchor: ReadonlyMap<string, StepLine>,
  steps: readonly StepLine[],
): readonly (readonly StepLine[])[] {
  const inLayers = new Set(found.flat());
  const lost = steps.filter(({ anchor }) => !inLayers.has(anchor));
  const columns = found.map((layer) => layer.map((anchor) => byAnchor.get(anchor)!));
  return lost.length > 0 ? [...columns, lost] : columns;
}

function placeColumns(columns: readonly (readonly StepLine[])[], count: number) {
  const most = Math.max(10, Math.ceil(Math.sqrt(count * 2.2)));
  const at = new Map<string, PlacedStep>();
  const rank = new Map<string, number>();
  let x = 0;
  let height = 0;
  for (const column of columns) {
    const sorted = column
      .map((step, index) => ({ step, key: middleOf(step, rank) ?? index / column.length }))
      .toSorted((a, b) => a.key - b.key || a.step.step_index - b.step.step_index);
    sorted.forEach(({ step }, index) => rank.set(step.anchor, (index + 0.5) / sorted.length));
    for (let start = 0; start < sorted.length; start += most) {
      const part = sorted.slice(start, start + most);
      part.forEach(({ step }, index) =>
        at.set(step.anchor, { step, x, y: index * (NODE.height + GAP.down) }),
      );
      height = Math.max(height, part.length * (NODE.height + GAP.down));
      x += NODE.width + (start + most < sorted.length ? GAP.down : GAP.across);
    }
  }
  return {
    at: centred(at, height),
    width: Math.max(x - GAP.across, NODE.width),
    height: Math.max(height - GAP.down, NODE.height),
  };
}

function middleOf({ depends_on = [] }: StepLine, rank: ReadonlyMap<string, number>): number | undefined {
  const ranks = depends_on.map((anchor) => rank.get(anchor)).filter((one) => one !== undefined);
  return ranks.length === 0 ? undefined : ranks.reduce((sum, one) => sum + one, 0) / ranks.length;
}

/** Short columns stand in the middle of the picture. */
function centred(at: ReadonlyMap<string, PlacedStep>, height: number): ReadonlyMap<string, PlacedStep> {
  const lowest = new Map<number, number>();
  for (const { x, y } of at.values()) lowest.set(x, Math.max(lowest.get(x) ?? 0, y + NODE.height));
  return new Map(
    [...at].map(([anchor, one]) => [
      anchor,
      { ...one, y: one.y + (height - GAP.down - lowest.get(one.x)!) / 2 },
    ]),
  );
}
