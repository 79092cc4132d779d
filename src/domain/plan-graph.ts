import { compact, waitGraph, type GraphEdge, type GraphNode, type WaitGraph } from "./wait-graph.ts";

export type { GraphEdge, GraphNode } from "./wait-graph.ts";

/**
 * One cycle for each knot of steps that wait for each other, as anchors in the order in which they wait.
 *
 * Besides the edges given, a step waits for its substeps, and a substep for what its step waits for, because it is
 * worked on inside it.
 */
export function findCycles(
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
): readonly (readonly string[])[] {
  const graph = waitGraph(nodes, edges);
  return knots(graph).map((members) => withoutRepeats(cycleThrough(graph, members).map(graph.anchorOf)));
}

/** `step-1 → step-2 → step-1` */
export const cycleText = (cycle: readonly string[]): string => [...cycle, cycle[0]].join(" → ");

/**
 * The steps in layers: each waits only for steps of earlier layers, and is in the first layer where that holds.
 *
 * A step that waits for itself, however many steps lie between, has no layer.
 */
export function layers(
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
): readonly (readonly string[])[] {
  const graph = waitGraph(nodes, edges);
  const { level } = levels(graph);
  const found: string[][] = [];
  for (let node = 0; node < graph.stepCount; node += 1) {
    const layer = level[node]! - 1;
    if (layer >= 0) (found[layer] ??= []).push(graph.anchorOf(node));
  }
  return found;
}

/** The longest chain of steps that wait for one another, the first to do first. */
export function criticalPath(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): readonly string[] {
  const graph = waitGraph(nodes, edges);
  const { level, longest } = levels(graph);
  let node = NONE;
  for (let candidate = 0; candidate < graph.stepCount; candidate += 1) {
    if (level[candidate]! > (node === NONE ? 0 : level[node]!)) node = candidate;
  }
  const path: string[] = [];
  for (; node !== NONE; node = longest[node]!) if (node < graph.stepCount) path.push(graph.anchorOf(node));
  return path.reverse();
}

const NONE = -1;

/**
 * Strongly connected components of more than one node, or of one that waits for itself: Tarjan's algorithm.
 *
 * It keeps its own stack, because a chain of fifty thousand steps is deeper than the one of the machine.
 */
function knots({ size, first, targets }: WaitGraph): readonly (readonly number[])[] {
  const found: number[][] = [];
  const order = new Int32Array(size).fill(NONE);
  const low = new Int32Array(size);
  const next = first.slice(0, size);
  const waiting = new Uint8Array(size);
  const open: number[] = [];
  const path: number[] = [];
  let visited = 0;
  const enter = (node: number) => {
    order[node] = low[node] = visited;
    visited += 1;
    waiting[node] = 1;
    open.push(node);
    path.push(node);
  };
  const waitsForItself = (node: number) => {
    for (let at = first[node]!; at < first[node + 1]!; at += 1) if (targets[at] === node) return true;
    return false;
  };
  const leave = (node: number) => {
    path.pop();
    const caller = path.at(-1);
    if (caller !== undefined) low[caller] = Math.min(low[caller]!, low[node]!);
    if (low[node] !== order[node]) return;
    // Nearly every node is a knot of its own, and nothing.
    const members = open.at(-1) === node ? [open.pop()!] : open.splice(open.lastIndexOf(node));
    for (const member of members) waiting[member] = 0;
    if (members.length > 1 || waitsForItself(node)) found.push(members);
  };
  for (let root = 0; root < size; root += 1) {
    if (order[root] === NONE) enter(root);
    while (path.length > 0) {
      const node = path.at(-1)!;
      if (next[node] === first[node + 1]) leave(node);
      else {
        const target = targets[next[node]!++]!;
        if (order[target] === NONE) enter(target);
        else if (waiting[target] === 1) low[node] = Math.min(low[node]!, order[target]!);
      }
    }
  }
  return found;
}

/** A shortest way from the knot's first node back to itself, without leaving the knot. */
function cycleThrough({ first, targets }: WaitGraph, members: readonly number[]): readonly number[] {
  const start = members.reduce((least, member) => Math.min(least, member));
  const inside = new Set(members);
  const cameFrom = new Map<number, number>();
  const queue = [start];
  for (const node of queue) {
    for (let at = first[node]!; at < first[node + 1]!; at += 1) {
      const target = targets[at]!;
      if (target === start) return wayTo(node, cameFrom);
      if (!inside.has(target) || cameFrom.has(target)) continue;
      cameFrom.set(target, node);
      queue.push(target);
    }
  }
  return [start];
}

function wayTo(end: number, cameFrom: ReadonlyMap<number, number>): readonly number[] {
  const way: number[] = [];
  for (let node: number | undefined = end; node !== undefined; node = cameFrom.get(node)) way.push(node);
  return way.reverse();
}

/** The start and the end of a step have one name. */
const withoutRepeats = (anchors: readonly string[]): readonly string[] =>
  anchors.filter(
    (anchor, index) =>
      anchor !== anchors[(index + anchors.length - 1) % anchors.length] || anchors.length === 1,
  );

/**
 * How many steps each node needs done up to and with itself (0 where that has no end), and which of the nodes it waits
 * for is the last to be done.
 */
function levels(graph: WaitGraph): { readonly level: Int32Array; readonly longest: Int32Array } {
  const { size, first, targets, stepCount } = graph;
  const level = new Int32Array(size);
  const longest = new Int32Array(size).fill(NONE);
  const missing = new Int32Array(size);
  const reversed: number[] = [];
  for (let node = 0; node < size; node += 1) {
    missing[node] = first[node + 1]! - first[node]!;
    for (let at = first[node]!; at < first[node + 1]!; at += 1) reversed.push(targets[at]!, node);
  }
  const dependents = compact(size, reversed);
  const ready: number[] = [];
  for (let node = 0; node < size; node += 1) if (missing[node] === 0) ready.push(node);
  for (const node of ready) {
    // The start of a step is no work of its own.
    if (node < stepCount) level[node]! += 1;
    for (let at = dependents.first[node]!; at < dependents.first[node + 1]!; at += 1) {
      const dependent = dependents.targets[at]!;
      if (level[node]! > level[dependent]!) {
        level[dependent] = level[node]!;
        longest[dependent] = node;
      }
      missing[dependent]! -= 1;
      if (missing[dependent] === 0) ready.push(dependent);
    }
  }
  for (let node = 0; node < size; node += 1) if (missing[node]! > 0) level[node] = 0;
  return { level, longest };
}
