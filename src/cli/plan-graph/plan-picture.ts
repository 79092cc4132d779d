import {
  criticalPath,
  flatten,
  type GraphEdge,
  type GraphNode,
  layers,
  type Plan,
} from "../../domain/index.ts";

/** The graph of a plan, ready to be drawn in one way or another. */
export interface PlanPicture {
  readonly nodes: readonly PictureNode[];
  readonly edges: readonly PictureEdge[];
  readonly layers: readonly (readonly string[])[];
  readonly criticalPath: readonly string[];
}

export interface PictureNode {
  readonly anchor: string;
  readonly title: string;
  readonly parent: string | undefined;
  /** From 1; undefined for a step that waits for itself in the end. */
  readonly layer: number | undefined;
  readonly isCritical: boolean;
}

/** `from` waits for `to`. */
export interface PictureEdge extends GraphEdge {
  readonly kind: "dependency" | "substep";
}

export function pictureOf(plan: Plan): PlanPicture {
  const titles = new Map<string, string>();
  const steps: GraphNode[] = [];
  const edges: PictureEdge[] = [];
  for (const { step, parent } of flatten(plan)) {
    // Of two steps with one anchor the first is drawn.
    if (titles.has(step.anchor)) continue;
    titles.set(step.anchor, step.title);
    steps.push({ anchor: step.anchor, parent });
    if (parent !== undefined) edges.push({ from: parent, to: step.anchor, kind: "substep" });
    for (const { anchor } of step.dependsOn)
      edges.push({ from: step.anchor, to: anchor, kind: "dependency" });
  }
  const written = edges.filter(({ kind }) => kind === "dependency");
  const found = layers(steps, written);
  const layerOf = new Map(
    found.flatMap((anchors, index) => anchors.map((anchor) => [anchor, index + 1] as const)),
  );
  const path = criticalPath(steps, written);
  const critical = new Set(path);
  return {
    nodes: steps.map(({ anchor, parent }) => ({
      anchor,
      title: titles.get(anchor)!,
      parent,
      layer: layerOf.get(anchor),
      isCritical: critical.has(anchor),
    })),
    edges,
    layers: found,
    criticalPath: path,
  };
}
