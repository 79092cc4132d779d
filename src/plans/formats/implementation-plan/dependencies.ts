import type { Dependency } from "../../../domain/index.ts";
import { quote } from "../diagnostics.ts";
import type { Child, Phase, Reading, SubtaskReference } from "./outline.ts";

/** A plan of mutually waiting phases with thousands of parallel subtasks would be millions of edges. */
const MOST_EDGES = 200_000;

/**
 * What each subtask waits for, in the order of the file.
 *
 * Within a phase subtasks follow one another, unless the phase says that they may run side by side. The first ones of
 * a phase wait for the last ones of the phases it depends on; an empty phase hands on what it waits for itself.
 */
export function subtaskDependencies(
  phases: readonly Phase[],
  reading: Reading,
): ReadonlyMap<Child, readonly Dependency[]> {
  const before = phasesBefore(phases, reading);
  const byId = new Map<string, Child>();
  for (const phase of phases)
    for (const child of phase.children)
      if (child.id !== undefined && !byId.has(child.id)) byId.set(child.id, child);
  const result = new Map<Child, readonly Dependency[]>();
  let left = MOST_EDGES;
  for (const [index, phase] of phases.entries()) {
    if (phase.children.length === 0) continue;
    const { awaited, visited } = lastOf(phases, before, before[index]!);
    // Ways through empty phases are counted like the edges that they stand for, or they could be walked for ever.
    left -= visited;
    for (const [position, child] of phase.children.entries()) {
      const line = reading.place(child.node.start).line;
      const previous = position > 0 && !phase.isParallel ? [phase.children[position - 1]!] : awaited;
      const edges = new Map<string, Dependency>();
      for (const { anchor } of previous) edges.set(anchor, { anchor, line, implied: true });
      for (const reference of child.dependsOn) addOwn(edges, child, reference, byId, reading);
      left -= edges.size;
      if (left < 0) {
        reading.report(
          "plan/too-many-dependencies",
          reading.place(phase.node.start),
          () => `The phases have more than ${MOST_EDGES} dependencies between their subtasks.`,
        );
        return result;
      }
      result.set(child, [...edges.values()]);
    }
  }
  return result;
}

function addOwn(
  edges: Map<string, Dependency>,
  child: Child,
  { text, offset }: SubtaskReference,
  byId: ReadonlyMap<string, Child>,
  { report, place }: Reading,
): void {
  const target = byId.get(text);
  if (!target) {
    report("plan/unknown-dependency", place(offset), () => `No subtask has the id ${quote(text)}.`);
  } else if (target === child) {
    report("plan/self-dependency", place(offset), () => `${quote(text)} waits for itself.`);
  } else edges.set(target.anchor, { anchor: target.anchor, line: place(offset).line });
}

/** For each phase the positions of those it waits for. A phase that does not say waits for the one before it. */
function phasesBefore(phases: readonly Phase[], { report, place }: Reading): readonly (readonly number[])[] {
  const byName = new Map<string, number>();
  for (const [index, { names }] of phases.entries())
    for (const name of names) if (!byName.has(name)) byName.set(name, index);
  const silent = phases.filter(({ dependsOn }, index) => index > 0 && dependsOn === undefined);
  if (silent[0])
    report(
      "plan/assumed-order",
      place(silent[0].node.start),
      () =>
        `${silent.length} of ${phases.length} phases do not say what they wait for; each waits for the one before it.`,
    );
  return phases.map(({ dependsOn }, index) => {
    if (dependsOn === undefined) return index === 0 ? [] : [index - 1];
    return dependsOn.flatMap((reference) => {
      const target = byName.get(reference.text) ?? byPosition(reference.text, phases.length, byName);
      if (target === undefined) {
        report(
          "plan/unknown-dependency",
          place(reference.offset),
          () => `No phase is called ${quote(reference.text)}.`,
        );
        return [];
      }
      if (target !== index) return [target];
      report("plan/self-dependency", place(reference.offset), () => "A phase waits for itself.");
      return [];
    });
  });
}

/** `2` and `phase-2` are the second phase where no phase has that name. */
function byPosition(text: string, count: number, byName: ReadonlyMap<string, number>): number | undefined {
  const [, digits] = /^(?:phase[-_ ]?)?(\d{1,6})$/i.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const named = byName.get(digits) ?? byName.get(`phase-${digits}`);
  const position = Number(digits) - 1;
  return named ?? (position >= 0 && position < count ? position : undefined);
}

/** The subtasks that end the given phases: all of a parallel phase, the last of any other. */
function lastOf(
  phases: readonly Phase[],
  before: readonly (readonly number[])[],
  wanted: readonly number[],
): { readonly awaited: readonly Child[]; readonly visited: number } {
  const found = new Set<Child>();
  const seen = new Set<number>();
  const open = [...wanted];
  let visited = 0;
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    visited += 1;
    if (seen.has(index)) continue;
    seen.add(index);
    const { children, isParallel } = phases[index]!;
    if (children.length === 0) for (const other of before[index]!) open.push(other);
    for (const child of isParallel ? children : children.slice(-1)) found.add(child);
  }
  return { awaited: [...found], visited };
}
