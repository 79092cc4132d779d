import type { Dependency } from "../../../domain/index.ts";
import { quote, type Report } from "../diagnostics.ts";
import type { SourcePosition } from "../../../platform/json/index.ts";
import { readDependsOn, type StepReference, type Target } from "./depends-on.ts";
import { lastAtMost } from "./last-at-most.ts";
import type { Piece } from "./field.ts";
import { lookUpSteps, type ReferableStep, type StepLookup } from "./step-lookup.ts";

/** A step with what it says it depends on. */
export interface Resolvable extends ReferableStep {
  readonly dependsOn: readonly (readonly Piece[])[];
}

/** Fifty thousand steps that each wait for all before them are more than a thousand million pairs. */
export const MAX_DEPENDENCIES = 200_000;

interface Resolving {
  readonly steps: readonly Resolvable[];
  readonly lookup: StepLookup;
  readonly report: Report;
  left: number;
}

/** Turns what the steps say into anchors of steps that exist: one list per step, in the same order. */
export function resolveDependencies(
  steps: readonly Resolvable[],
  report: Report,
): readonly (readonly Dependency[])[] {
  const resolving: Resolving = { steps, lookup: lookUpSteps(steps), report, left: MAX_DEPENDENCIES };
  return steps.map((_, index) => dependenciesOf(resolving, index));
}

function dependenciesOf(resolving: Resolving, self: number): readonly Dependency[] {
  const { steps, report } = resolving;
  const found = new Map<string, number>();
  for (const pieces of steps[self]!.dependsOn) {
    const { text, placeOf } = joined(pieces);
    const { references, ignored } = readDependsOn(text);
    for (const { at, text: words, suspicious } of ignored) {
      if (suspicious) {
        report("plan/unread-dependency", placeOf(at), () => `${quote(words)} names steps outside the list.`);
      } else
        report("plan/dependency-remark", placeOf(at), () => `${quote(words)} names no step to wait for.`);
    }
    for (const reference of references) {
      if (resolving.left < 0) break;
      const place = placeOf(reference.at);
      for (const target of targetsOf(resolving, self, reference, place)) {
        resolving.left -= 1;
        if (resolving.left < 0) {
          reportTooMany(resolving, place);
          break;
        }
        const { anchor } = steps[target]!;
        if (!found.has(anchor)) found.set(anchor, place.line);
      }
    }
  }
  return [...found].map(([anchor, line]) => ({ anchor, line }));
}

function reportTooMany({ left, report }: Resolving, place: SourcePosition): void {
  if (left !== -1) return;
  report(
    "plan/too-many-dependencies",
    place,
    () => `The steps name more than ${MAX_DEPENDENCIES} dependencies; the rest is left out.`,
  );
}

/** The text of a field in one line, and the way back from an offset in it to the file. */
function joined(pieces: readonly Piece[]): { text: string; placeOf: (at: number) => SourcePosition } {
  const starts: number[] = [];
  let length = 0;
  for (const { text } of pieces) {
    starts.push(length);
    length += text.length + 1;
  }
  return {
    text: pieces.map(({ text }) => text).join(" "),
    placeOf: (at) => {
      const number = lastAtMost(starts, at);
      const { index, at: column } = pieces[number]!;
      return { line: index + 1, column: column + at - starts[number]! + 1 };
    },
  };
}

function targetsOf(
  resolving: Resolving,
  self: number,
  reference: StepReference,
  place: SourcePosition,
): Iterable<number> {
  const { lookup, steps } = resolving;
  if (reference.is === "all-preceding") return lookup.preceding(self);
  if (reference.is === "one") {
    const target = find(resolving, self, reference.target, place);
    return target !== undefined && isAllowed(resolving, self, target, place) ? [target] : [];
  }
  const from = find(resolving, self, reference.from, place);
  const to = find(resolving, self, reference.to, place);
  if (from === undefined || to === undefined) return [];
  const { parent } = steps[self]!;
  return lookup
    .between(from, to)
    .filter((index) => index !== self && index !== parent && steps[index]!.parent !== self);
}

function find(
  { lookup, steps, report }: Resolving,
  self: number,
  target: Target,
  place: SourcePosition,
): number | undefined {
  const exact = lookup.exact(target, self);
  if (exact !== undefined) return exact;
  const written = target.by === "anchor" ? `#${target.anchor}` : `Step ${target.number}`;
  const meant = lookup.guess(target, self);
  if (meant === undefined) {
    report("plan/unknown-dependency", place, () => `There is no step ${quote(written)}.`);
    return undefined;
  }
  report(
    "plan/inexact-dependency",
    place,
    () => `There is no step ${quote(written)}; it is read as ${quote(steps[meant]!.anchor)}.`,
  );
  return meant;
}

function isAllowed(
  { steps, report }: Resolving,
  self: number,
  target: number,
  place: SourcePosition,
): boolean {
  const { anchor, parent } = steps[self]!;
  if (target === self) {
    report("plan/self-dependency", place, () => `The step ${quote(anchor)} depends on itself.`);
    return false;
  }
  // Taken at its word it could never be met, and it goes without saying; but real plans say it.
  if (target === parent || steps[target]!.parent === self) {
    report("plan/implied-dependency", place, () => {
      const relation = target === parent ? "the step it is part of" : "its own substep";
      return `${quote(anchor)} names ${relation}, ${quote(steps[target]!.anchor)}.`;
    });
    return false;
  }
  return true;
}
