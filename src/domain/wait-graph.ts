/** A step as a node: its anchor and, for a substep, the anchor of its step. */
export interface GraphNode {
  readonly anchor: string;
  readonly parent: string | undefined;
}

/** `from` waits for `to`. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
}

/**
 * Who waits for whom, as numbers: the targets of node `n` are `targets[first[n]] … targets[first[n + 1] - 1]`.
 *
 * A step that has substeps is two nodes: its end, which waits for the substeps, and its start, which waits for what
 * the step depends on. The substeps wait for that start. So a thousand substeps under a step with a thousand
 * dependencies are two thousand edges and not a million.
 */
export interface WaitGraph {
  readonly stepCount: number;
  readonly size: number;
  readonly first: Int32Array;
  readonly targets: Int32Array;
  readonly anchorOf: (node: number) => string;
}

export function waitGraph(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): WaitGraph {
  const ends = new Map<string, number>();
  for (const { anchor } of nodes) if (!ends.has(anchor)) ends.set(anchor, ends.size);
  const anchors = [...ends.keys()];
  const starts = new Map<number, number>();
  const pairs: number[] = [];
  for (const { anchor, parent } of nodes) {
    const substep = ends.get(anchor)!;
    const step = parent === undefined ? undefined : ends.get(parent);
    if (step === undefined || step === substep) continue;
    if (!starts.has(step)) {
      starts.set(step, ends.size + starts.size);
      anchors.push(parent!);
      pairs.push(step, starts.get(step)!);
    }
    pairs.push(step, substep, substep, starts.get(step)!);
  }
  for (const { from, to } of edges) {
    const source = ends.get(from);
    const target = ends.get(to);
    if (source !== undefined && target !== undefined) pairs.push(starts.get(source) ?? source, target);
  }
  return {
    stepCount: ends.size,
    size: anchors.length,
    ...compact(anchors.length, pairs),
    anchorOf: (node) => anchors[node]!,
  };
}

/** Sorts pairs by their first member into one array of second members. */
export function compact(size: number, pairs: readonly number[]): Pick<WaitGraph, "first" | "targets"> {
  const first = new Int32Array(size + 1);
  for (let at = 0; at < pairs.length; at += 2) first[pairs[at]! + 1]! += 1;
  for (let node = 0; node < size; node += 1) first[node + 1]! += first[node]!;
  const next = first.slice();
  const targets = new Int32Array(pairs.length / 2);
  for (let at = 0; at < pairs.length; at += 2) targets[next[pairs[at]!]!++] = pairs[at + 1]!;
  return { first, targets };
}
