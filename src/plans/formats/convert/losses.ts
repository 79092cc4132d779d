import { wordsOf } from "./render.ts";
import { flatten, type Plan, type PlanStep } from "../../../domain/index.ts";

/** Something that a plan says and its copy in another format would not. */
export interface Loss {
  readonly what: string;
  /** In how many steps. */
  readonly count: number;
  /** The first one, in words. */
  readonly example: string;
}

interface Row {
  readonly step: PlanStep;
  readonly parent: number | undefined;
  /** Positions of all steps that it waits for, directly or not. */
  readonly waitsFor: ReadonlySet<number>;
}

/** What each step says, aspect by aspect. Two readings that agree in all of them are the same work. */
const ASPECTS: Readonly<Record<string, (row: Row) => string>> = {
  "names of steps": ({ step }) => step.anchor,
  titles: ({ step }) => step.title,
  "which step a substep belongs to": ({ parent }) => String(parent ?? ""),
  "what waits for what": ({ waitsFor }) => [...waitsFor].toSorted((a, b) => a - b).join(),
  "checklist items": ({ step }) => step.items.map(({ kind, text }) => `${kind} ${text}`).join("\n"),
  "ticks of items": ({ step }) => step.items.map(({ box }) => box).join(),
  status: ({ step }) => step.progress?.status ?? "pending",
  "verification attempts": ({ step }) => String(step.progress?.verificationAttempts ?? 0),
  "commit lines": ({ step }) => step.commit ?? "",
  verification: ({ step }) => step.verification?.text ?? "",
};

/** Compares a plan with its copy, which must have been read from what would be written. */
export function lossesOf(before: Plan, after: Plan): readonly Loss[] {
  const [rows, copies] = [rowsOf(before), rowsOf(after)];
  if (rows.length !== copies.length)
    return [
      {
        what: "steps",
        count: Math.abs(rows.length - copies.length),
        example: `${rows.length} would become ${copies.length}`,
      },
    ];
  const found = Object.entries(ASPECTS).flatMap(([what, say]) =>
    lossIn(what, rows, (row, index) => {
      const said = say(row);
      return said === say(copies[index]!) ? undefined : said;
    }),
  );
  return [
    ...found,
    ...lossIn("words of steps", rows, ({ step }, index) =>
      missingWords(before.format, step, copies[index]!.step),
    ),
    ...planLosses(before, after),
  ];
}

function lossIn(
  what: string,
  rows: readonly Row[],
  lost: (row: Row, index: number) => string | undefined,
): readonly Loss[] {
  const found = rows.flatMap((row, index) => {
    const said = lost(row, index);
    return said === undefined ? [] : [`${row.step.anchor}: ${short(said)}`];
  });
  return found.length === 0 ? [] : [{ what, count: found.length, example: found[0]! }];
}

function planLosses(before: Plan, after: Plan): readonly Loss[] {
  const title = before.title ?? "";
  const fields = before.metadata.filter(
    ([field, value]) => !after.metadata.some(([name, other]) => name === field && other === value),
  );
  return [
    ...(title === "" || title === after.title
      ? []
      : [{ what: "title of the plan", count: 1, example: short(title) }]),
    ...(fields.length === 0
      ? []
      : [{ what: "metadata", count: fields.length, example: short(fields[0]!.join(": ")) }]),
  ];
}

/** Words that the copy has nowhere: neither in its text nor in its items, its title or what it refers to. */
function missingWords(format: string, step: PlanStep, copy: PlanStep): string | undefined {
  // A task refers to its own file, which is no word of it.
  const referred = format === "task-files" ? "" : (step.references ?? "");
  const there = wordsIn([
    copy.title,
    copy.body,
    copy.references ?? "",
    ...copy.items.map(({ text }) => text),
  ]);
  const lost = [...wordsIn([wordsOf(step), referred])].filter((word) => !there.has(word));
  return lost.length === 0 ? undefined : lost.join(" ");
}

const wordsIn = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.join("\n").match(/[\p{L}\p{N}]+/gu) ?? []);

function rowsOf(plan: Plan): readonly Row[] {
  const flat = flatten(plan);
  const places = new Map(flat.map(({ step }, index) => [step.anchor, index]));
  const reached = new Map<number, Set<number>>();
  const reach = (start: number): Set<number> => {
    const known = reached.get(start);
    if (known) return known;
    const all = new Set<number>();
    reached.set(start, all);
    const open = [start];
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const { anchor } of flat[at]!.step.dependsOn) {
        const target = places.get(anchor);
        if (target === undefined || all.has(target)) continue;
        all.add(target);
        open.push(target);
      }
    return all;
  };
  return flat.map(({ step, parent }, index) => ({
    step,
    parent: parent === undefined ? undefined : places.get(parent),
    waitsFor: reach(index),
  }));
}

const short = (text: string): string => (text.length <= 80 ? text : `${text.slice(0, 79)}…`);
