import { criticalPath, layers } from "../../src/domain/plan-graph.ts";
import type { StepLine } from "../types.ts";

export const NODE = { width: 208, height: 46 };
/** Between layers there is room for lines; inside of one there is none to be had. */
export const GAP = { layers: { across: 76, down: 44 }, steps: 16 };

/** Which way the layers follow each other. */
export type Way = "across" | "down";

export interface PlacedStep {
  readonly step: StepLine;
  readonly x: number;
  readonly y: number;
  /** Where its layer begins and ends, in the direction of the layers: further than the step where that is folded. */
  readonly layer: { readonly from: number; readonly until: number };
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
  readonly way: Way;
  readonly width: number;
  readonly height: number;
}

/**
 * Puts steps in layers: each stands behind all it waits for, to the right of it or below.
 *
 * Inside a layer steps stand near what they wait for, which keeps lines short. A layer that would be much longer than
 * all of them are deep is folded, so a plan without dependencies is a block and not a line.
 */
export function placeSteps(all: readonly StepLine[], way: Way): Picture {
  const steps = all.filter(({ parent_anchor }) => parent_anchor === null);
  const byAnchor = new Map(steps.map((step) => [step.anchor, step]));
  const graph = {
    nodes: steps.map(({ anchor }) => ({ anchor, parent: undefined })),
    edges: steps.flatMap((step) =>
      (step.depends_on ?? []).filter((to) => byAnchor.has(to)).map((to) => ({ from: step.anchor, to })),
    ),
  };
  const placed = placeLayers(layersOf(layers(graph.nodes, graph.edges), byAnchor, steps), steps.length, way);
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
    way,
    width: placed.width,
    height: placed.height,
  };
}

/** Steps that wait for themselves have no layer; they stand at the end rather than nowhere. */
function layersOf(
  found: readonly (readonly string[])[],
  byAnchor: ReadonlyMap<string, StepLine>,
  steps: readonly StepLine[],
): readonly (readonly StepLine[])[] {
  const inLayers = new Set(found.flat());
  const lost = steps.filter(({ anchor }) => !inLayers.has(anchor));
  const known = found.map((layer) => layer.map((anchor) => byAnchor.get(anchor)!));
  return lost.length > 0 ? [...known, lost] : known;
}

/** Places are found along the layers and inside of them; only here it is known which of the two is x. */
function placeLayers(all: readonly (readonly StepLine[])[], count: number, way: Way) {
  const [deep, long] = way === "across" ? [NODE.width, NODE.height] : [NODE.height, NODE.width];
  const most = way === "across" ? Math.max(10, Math.sqrt(count * 2.2)) : Math.max(3, Math.sqrt(count / 2));
  const rank = new Map<string, number>();
  const places: (Pick<PlacedStep, "step" | "layer"> & { readonly along: number; readonly inside: number })[] =
    [];
  const lengths: number[] = [];
  let along = 0;
  for (const layer of all) {
    const sorted = layer
      .map((step, index) => ({ step, key: middleOf(step, rank) ?? index / layer.length }))
      .toSorted((a, b) => a.key - b.key || a.step.step_index - b.step.step_index);
    sorted.forEach(({ step }, index) => rank.set(step.anchor, (index + 0.5) / sorted.length));
    const folds = Math.ceil(sorted.length / Math.ceil(most));
    const size = Math.ceil(sorted.length / folds);
    // Short layers stand in the middle of the picture; the folds of one have their rows in common, and lines between.
    const length = size * (long + GAP.steps) - GAP.steps;
    lengths.push(length);
    const depth = Math.ceil(sorted.length / size) * (deep + GAP.steps) - GAP.steps;
    const found = { from: along, until: along + depth };
    for (let start = 0; start < sorted.length; start += size) {
      const part = sorted.slice(start, start + size);
      part.forEach(({ step }, index) =>
        places.push({ step, layer: found, along, inside: index * (long + GAP.steps) - length / 2 }),
      );
      along += deep + (start + size < sorted.length ? GAP.steps : GAP.layers[way]);
    }
  }
  const depth = Math.max(along - GAP.layers[way], deep);
  const length = Math.max(...lengths, long);
  const at = new Map(
    places.map(({ step, layer, along: behind, inside }) => {
      const beside = inside + length / 2;
      return [
        step.anchor,
        way === "across" ? { step, layer, x: behind, y: beside } : { step, layer, x: beside, y: behind },
      ];
    }),
  );
  return way === "across" ? { at, width: depth, height: length } : { at, width: length, height: depth };
}

function middleOf({ depends_on = [] }: StepLine, rank: ReadonlyMap<string, number>): number | undefined {
  const ranks = depends_on.map((anchor) => rank.get(anchor)).filter((one) => one !== undefined);
  return ranks.length === 0 ? undefined : ranks.reduce((sum, one) => sum + one, 0) / ranks.length;
}
