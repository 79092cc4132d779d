import { isHeld, type Plan, type PlanStep } from "../../domain/index.ts";
import { contentOf, formatIsProse, identityOf } from "../formats/index.ts";
import type { StepRow } from "../../platform/index.ts";
import { mostAlike, withoutNumber } from "./likeness.ts";

/** A step of the store with its substeps. A claim takes them together, so an edit of one is an edit of all. */
export interface OldUnit {
  readonly top: StepRow;
  readonly parts: readonly StepRow[];
  /** What the step said when it was read; undefined where that text was not kept. */
  readonly said: PlanStep | undefined;
  /** What the plan said of it when it was read last, where the step keeps an earlier text. */
  readonly last: PlanStep | undefined;
}

/** What became of a step of the store, or of one that only the plan has. */
export type Match =
  | { readonly kind: "same" | "moved" | "edited"; readonly old: OldUnit; readonly step: PlanStep }
  | { readonly kind: "removed"; readonly old: OldUnit; readonly step: undefined }
  | { readonly kind: "added"; readonly old: undefined; readonly step: PlanStep };

export const rowsOf = ({ top, parts }: OldUnit): readonly StepRow[] => [top, ...parts];

export const stepsOf = (step: PlanStep): readonly PlanStep[] => [step, ...step.substeps];

/** Held or completed, itself or a part of it: another text for it needs a decision. */
export const isStarted = (unit: OldUnit): boolean =>
  rowsOf(unit).some(({ status }) => isHeld(status) || status === "completed");

export interface Matching {
  readonly plan: Plan;
  readonly units: readonly OldUnit[];
  readonly sha256: (text: string) => string;
  /** Whether a row says what a step says, where it has no hash that could tell. */
  readonly isSame: (row: StepRow, step: PlanStep) => boolean;
}

/**
 * Finds for each step of the store the one it became in the plan.
 *
 * By name and words first, then by words under another name, then by titles that are most alike, then by name. A step
 * that keeps an earlier text is compared with that text and with the one that was read last. Where names are made from
 * words, one new step in the very place of one that is gone is the same step with other words. Two that say the same are
 * never guessed about.
 */
export function matchUnits({ plan, units, sha256, isSame }: Matching): readonly Match[] {
  const found = new Map<OldUnit, { readonly kind: "same" | "moved" | "edited"; readonly step: PlanStep }>();
  const taken = new Set<PlanStep>();
  const pair = (kind: "same" | "moved" | "edited", old: OldUnit, step: PlanStep) => {
    found.set(old, { kind, step });
    taken.add(step);
  };
  const open = () => units.filter((unit) => !found.has(unit));
  const free = () => plan.steps.filter((step) => !taken.has(step));
  const named = (anchor: string) => free().find((step) => step.anchor === anchor);

  for (const unit of units) {
    const step = plan.steps.find(({ anchor }) => anchor === unit.top.anchor);
    if (step && saysTheSame(unit, step, isSame)) pair("same", unit, step);
  }
  const byWords = (
    kind: "moved" | "edited",
    oldKey: (unit: OldUnit) => string | undefined,
    newKey: (step: PlanStep) => string,
  ) => {
    const olds = grouped(open(), oldKey);
    const news = grouped(free(), newKey);
    for (const [key, [unit, ...more]] of olds) {
      const [step, ...others] = news.get(key) ?? [];
      if (unit && step && more.length === 0 && others.length === 0) pair(kind, unit, step);
    }
  };
  const hashesOf = (step: PlanStep) =>
    stepsOf(step)
      .map((one) => sha256(identityOf(one)))
      .join();
  byWords(
    "moved",
    (unit) => {
      if (unit.said) return hashesOf(unit.said);
      const hashes = rowsOf(unit).map((row) => row.content_hash);
      return hashes.includes(null) ? undefined : hashes.join();
    },
    hashesOf,
  );
  byWords("moved", ({ said }) => said && unnumberedOf(said), unnumberedOf);
  for (const [unit, step] of asReadLast(open(), free(), hashesOf)) pair("edited", unit, step);
  byWords("edited", ({ last }) => last && unnumberedOf(last), unnumberedOf);
  byWords("edited", ({ said }) => said && wordsOf(said), wordsOf);
  byWords("edited", ({ last }) => last && wordsOf(last), wordsOf);
  for (const [unit, step] of alike(open(), free())) pair("edited", unit, step);
  for (const unit of open()) {
    const step = named(unit.last?.anchor ?? unit.top.anchor);
    if (step) pair("edited", unit, step);
  }
  if (formatIsProse(plan.format)) {
    for (const [unit, step] of replacedInPlace(units, plan.steps, found, taken)) pair("edited", unit, step);
  }
  return [
    ...units.map((old): Match => {
      const match = found.get(old);
      return match ? { ...match, old } : { kind: "removed", old, step: undefined };
    }),
    ...free().map((step): Match => ({ kind: "added", old: undefined, step })),
  ];
}

const wordsOf = (step: PlanStep): string => JSON.stringify(stepsOf(step).map(contentOf));

const unnumberedOf = (step: PlanStep): string =>
  JSON.stringify(
    stepsOf(step).map(({ markedTitle, ...one }) =>
      identityOf({
        ...one,
        title: withoutNumber(markedTitle ?? one.title),
        body: one.body.replace(NAMED_IN_BODY, (_, tag: string, words: string) => tag + withoutNumber(words)),
      }),
    ),
  );

/** Where the text of a step repeats its title, with its number. */
const NAMED_IN_BODY = /(<name>\s*)(.*)/i;

/** Of several that are equally alike, the one with the most to lose waits for a person. */
const alike = (units: readonly OldUnit[], steps: readonly PlanStep[]) =>
  mostAlike(
    units.toSorted((a, b) => progressOf(b) - progressOf(a)),
    steps,
    TITLES,
  );

const progressOf = (unit: OldUnit): number => (unit.top.status === "completed" ? 2 : isStarted(unit) ? 1 : 0);

const TITLES = {
  of: ({ top, last }: OldUnit) => (last ? [top.title, last.title] : [top.title]),
  among: ({ title }: PlanStep) => title,
};

function saysTheSame(unit: OldUnit, step: PlanStep, isSame: Matching["isSame"]): boolean {
  const rows = rowsOf(unit);
  const steps = stepsOf(step);
  return (
    rows.length === steps.length &&
    rows.every((row) => {
      const part = steps.find(({ anchor }) => anchor === row.anchor);
      return part !== undefined && isSame(row, part);
    })
  );
}

/** The plan says of them what it said last, under the same name. */
const asReadLast = (
  units: readonly OldUnit[],
  steps: readonly PlanStep[],
  hashesOf: (step: PlanStep) => string,
): readonly (readonly [OldUnit, PlanStep])[] =>
  units.flatMap((unit) => {
    const { last } = unit;
    const step = last && steps.find(({ anchor }) => anchor === last.anchor);
    return step && hashesOf(step) === hashesOf(last) ? [[unit, step] as const] : [];
  });

/** Between the same two neighbours, one step is gone and one is new. */
function replacedInPlace(
  units: readonly OldUnit[],
  steps: readonly PlanStep[],
  found: ReadonlyMap<OldUnit, { readonly step: PlanStep }>,
  taken: ReadonlySet<PlanStep>,
): readonly (readonly [OldUnit, PlanStep])[] {
  const after = <T>(list: readonly T[], isKnown: (one: T) => boolean, at: number): T | undefined =>
    list.slice(at + 1).find(isKnown);
  return units.flatMap((unit, at): (readonly [OldUnit, PlanStep])[] => {
    if (found.has(unit)) return [];
    const before = units[at - 1];
    const next = units[at + 1];
    if ((before && !found.has(before)) || (next && !found.has(next))) return [];
    const start = before ? steps.indexOf(found.get(before)!.step) : -1;
    const step = steps[start + 1];
    if (step === undefined || taken.has(step)) return [];
    const follower = after(steps, (one) => taken.has(one), start);
    const isAlone = steps[start + 2] === follower;
    const isSamePlace = follower === (next && found.get(next)!.step);
    return isAlone && isSamePlace ? [[unit, step]] : [];
  });
}

function grouped<T>(list: readonly T[], keyOf: (one: T) => string | undefined): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of list) {
    const key = keyOf(one);
    if (key === undefined) continue;
    const same = groups.get(key);
    if (same) same.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}
