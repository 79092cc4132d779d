/** What decides whose substep a step is. */
export interface NumberedStep {
  readonly number: string | undefined;
  readonly summary: boolean;
}

/**
 * The step that each step is a substep of, by place in the list; undefined for a top-level step.
 *
 * `4.1` and `4.1.2` are substeps of `4`, whatever the level of their headings: there are two levels only, because the
 * unit of work that a worker claims is a top-level step. Where there is no `4`, `4.1` is a top-level step and `4.1.2`
 * its substep. A letter makes no substep: `11b` stands beside `11`, and usually waits for it.
 */
export function parentsOf(steps: readonly NumberedStep[]): readonly (number | undefined)[] {
  const parents: (number | undefined)[] = Array.from({ length: steps.length });
  const topLevel = new Map<string, number>();
  const undecided: { index: number; number: string }[] = [];
  for (const [index, { number, summary }] of steps.entries()) {
    if (number === undefined || summary) continue;
    if (!number.includes(".")) topLevel.set(number, index);
    else {
      parents[index] = ancestorOf(number, topLevel);
      if (parents[index] === undefined) undecided.push({ index, number });
    }
  }
  // Those whose step comes later in the file, or not at all; the shortest number first, for it may become a parent.
  undecided.sort((a, b) => depth(a.number) - depth(b.number) || a.index - b.index);
  for (const { index, number } of undecided) {
    parents[index] = ancestorOf(number, topLevel);
    if (parents[index] === undefined && !topLevel.has(number)) topLevel.set(number, index);
  }
  return parents;
}

const depth = (number: string): number => number.split(".").length;

/** The nearest top-level step whose number this one extends; of several with that number, the last one read. */
function ancestorOf(number: string, topLevel: ReadonlyMap<string, number>): number | undefined {
  for (let end = number.lastIndexOf("."); end !== -1; end = number.lastIndexOf(".", end - 1)) {
    const ancestor = topLevel.get(number.slice(0, end));
    if (ancestor !== undefined) return ancestor;
    if (end === 0) break;
  }
  return undefined;
}
