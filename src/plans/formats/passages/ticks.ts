import {
  BadJson,
  firstMember,
  type JsonNode,
  nodeId,
  nodeText,
  nodeValue,
  parseJson,
  type Splice,
  splice,
} from "../../../platform/json/index.ts";
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

/**
 * A record keeps the status that it had, wherever it stands by now. Where nothing but progress was changed, the whole
 * text is as it was.
 */
function withStatusOf(before: string, after: string): string {
  const [was, is] = [jsonOf(before), jsonOf(after)];
  if (!was || !is) return after;
  if (wordsIn(was) === wordsIn(is)) return before;
  const known = new Map<string, string[]>();
  for (const { key, node } of statedIn(was, before))
    known.set(key, [...(known.get(key) ?? []), before.slice(node.start, node.end)]);
  return splice(
    after,
    statedIn(is, after).flatMap(({ key, node: { start, end } }): Splice[] => {
      const text = known.get(key)?.shift();
      return text === undefined ? [] : [{ start, end, text }];
    }),
  );
}

function jsonOf(text: string): JsonNode | undefined {
  try {
    return parseJson(text.replace(/^\ufeff/, " "));
  } catch (error) {
    if (error instanceof BadJson) return undefined;
    throw error;
  }
}

/** What a text says beside how far the work is. */
const wordsIn = (node: JsonNode): string =>
  JSON.stringify(nodeValue(node), (name, value: unknown) => (PROGRESS.has(name) ? undefined : value));

const PROGRESS = new Set(
  "status passes completion_date completed_at started_at updated_at updated_date verification_attempts verification_history".split(
    " ",
  ),
);

interface Stated {
  /** The record that says it, and the records around that. */
  readonly key: string;
  readonly node: JsonNode;
}

function statedIn(node: JsonNode, text: string, around = ""): readonly Stated[] {
  if (node.type === "array") return node.items.flatMap((item) => statedIn(item, text, around));
  if (node.type !== "object") return [];
  const name = firstMember(node, NAMES);
  const key = `${around}\n${(name && (nodeId(name, text) ?? nodeText(name))) ?? ""}`;
  return node.members.flatMap(({ name: member, value }) =>
    STATED.has(member) && (value.type === "string" || value.type === "boolean")
      ? [{ key: `${key}\n${member}`, node: value }]
      : statedIn(value, text, key),
  );
}

const STATED = new Set(["status", "passes"]);
const NAMES = ["id", "task_id", "subtask_id", "key", "number", "title", "name", "description", "content"];

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
