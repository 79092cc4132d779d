import type { Target } from "./depends-on.ts";
import { lastAtMost } from "./last-at-most.ts";

/** A step as others name it. */
export interface ReferableStep {
  readonly anchor: string;
  readonly number: string | undefined;
  readonly summary: boolean;
  /** Place of its step in the list, for a substep. */
  readonly parent: number | undefined;
}

/**
 * Finds steps by what a plan calls them; steps are places in the list.
 *
 * Maps and binary search, because a plan may name two million steps in a line of text.
 */
export interface StepLookup {
  readonly exact: (target: Target, self: number) => number | undefined;
  /** What was probably meant by a name that no step has. */
  readonly guess: (target: Target, self: number) => number | undefined;
  /** Steps before this one and, for a substep, its earlier siblings; never its own step. */
  readonly preceding: (self: number) => Iterable<number>;
  /** From one step to another with their siblings between them. */
  readonly between: (from: number, to: number) => readonly number[];
}

export function lookUpSteps(steps: readonly ReferableStep[]): StepLookup {
  const byAnchor = new Map<string, number>();
  const byFoldedAnchor = new Map<string, number>();
  const byNumber = new Map<string, number[]>();
  const families = new Map<number | undefined, number[]>();
  for (const [index, { anchor, number, summary, parent }] of steps.entries()) {
    if (!byAnchor.has(anchor)) byAnchor.set(anchor, index);
    if (!byFoldedAnchor.has(anchor.toLowerCase())) byFoldedAnchor.set(anchor.toLowerCase(), index);
    if (number !== undefined && !summary) append(byNumber, number, index);
    append(families, parent, index);
  }
  return {
    exact: (target, self) =>
      target.by === "anchor" ? byAnchor.get(target.anchor) : nearest(byNumber.get(target.number), self),
    guess: (target, self) => {
      if (target.by === "number") {
        return byFoldedAnchor.get(`step-${target.number.replaceAll(".", "-")}`.toLowerCase());
      }
      // The same anchor in other letters, or the step that would have it if it had none of its own.
      const [, number] = /^step-([\w.-]{1,100})$/i.exec(target.anchor) ?? [];
      return (
        byFoldedAnchor.get(target.anchor.toLowerCase()) ??
        nearest(byNumber.get(number?.replaceAll("-", ".") ?? ""), self)
      );
    },
    *preceding(self) {
      const { parent } = steps[self]!;
      for (const family of parent === undefined ? [undefined] : [undefined, parent]) {
        for (const index of families.get(family) ?? []) {
          if (index >= self) break;
          if (index !== parent) yield index;
        }
      }
    },
    between: (from, to) => {
      const [first, last] = from < to ? [from, to] : [to, from];
      const { parent } = steps[first]!;
      if (steps[last]!.parent !== parent) return [first, last];
      const family = families.get(parent) ?? [];
      return family.slice(lastAtMost(family, first), lastAtMost(family, last) + 1);
    },
  };
}

function append<K>(lists: Map<K, number[]>, key: K, index: number): void {
  const list = lists.get(key);
  if (list) list.push(index);
  else lists.set(key, [index]);
}

/** Of several steps with one number, the last before this one: plans of several phases count anew in each. */
const nearest = (indexes: readonly number[] | undefined, self: number): number | undefined =>
  indexes?.[Math.max(0, lastAtMost(indexes, self - 1))];
