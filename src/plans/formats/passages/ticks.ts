import { flatten, type ItemKind, type Plan, type PlanStep, withOrdinals } from "../../../domain/index.ts";

/** An item whose box was ticked in a copy of the plan; its ordinal counts from 1 within its kind. */
export interface Tick {
  readonly anchor: string;
  readonly kind: ItemKind;
  readonly ordinal: number;
}

const NO_ITEMS: readonly never[] = [];

/**
 * The items of a step and its substeps that were ticked between two readings of a plan.
 *
 * A box that was ticked before is no news: a plan's own ticks are information, not progress. An item whose words have
 * changed is another one.
 */
export function ticksBetween(from: Plan, to: Plan, anchor: string): readonly Tick[] {
  const known = new Map(flatten(from).map(({ step }) => [step.anchor, step]));
  return flatten(to)
    .filter(({ step, parent }) => step.anchor === anchor || parent === anchor)
    .flatMap(({ step, parent }) => {
      if (step.items.length === 0 && parent !== undefined)
        return isTickedItself(known.get(step.anchor), step) ? [{ anchor: step.anchor, ...WHOLE }] : [];
      const before = withOrdinals(known.get(step.anchor)?.items ?? NO_ITEMS);
      return withOrdinals(step.items).flatMap((item) => {
        const { kind, ordinal, text } = item;
        const old = before.find((one) => one.kind === kind && one.ordinal === ordinal);
        const isTicked = old?.box === "open" && item.box === "ticked" && old.text === text;
        return isTicked ? [{ anchor: step.anchor, kind, ordinal: ordinal + 1 }] : [];
      });
    });
}

/** How a substep without items is ticked. */
const WHOLE = { kind: "task", ordinal: 1 } as const;

const isTickedItself = (before: PlanStep | undefined, { title, progress }: PlanStep): boolean =>
  before !== undefined &&
  before.title === title &&
  before.progress?.status !== "completed" &&
  progress?.status === "completed";

const BOX = /^(\s*(?:[-*+]|\d{1,9}[.)])\s+\[)(.)(\].*)$/su;

/** A copy of a plan with its boxes, or the status of its records, as they were before; whatever else was changed in it stays. */
export const untick = (before: string, after: string): string =>
  /^\s*[[{]/.test(after) ? withStatusOf(before, after) : withBoxesOf(before, after);

const STATUS = /("(?:status|passes)"\s*:\s*)("(?:[^"\\]|\\.)*"|true|false)/g;

/** As it is where records were added or removed: which status was whose is not certain then. */
function withStatusOf(before: string, after: string): string {
  const said = Array.from(before.matchAll(STATUS), ([, , value]) => value!);
  if (after.match(STATUS)?.length !== said.length) return after;
  let at = 0;
  return after.replace(STATUS, (_, name: string) => name + said[at++]!);
}

function withBoxesOf(before: string, after: string): string {
  const marks = new Map<string, string[]>();
  for (const line of before.split(/\r\n|\n|\r/)) {
    const [, start, mark, rest] = BOX.exec(line) ?? [];
    if (mark === undefined) continue;
    const same = marks.get(start! + rest!) ?? [];
    same.push(mark);
    marks.set(start! + rest!, same);
  }
  return after
    .split(/(\r\n|\n|\r)/)
    .map((line) => {
      const [, start, mark, rest] = BOX.exec(line) ?? [];
      if (mark === undefined) return line;
      const old = marks.get(start! + rest!)?.shift();
      return old === undefined || old === mark ? line : `${start}${old}${rest}`;
    })
    .join("");
}
