import { isOpenItem, shellWord } from "../../domain/index.ts";
import type { Block } from "./fit.ts";
import type { PromptContext, PromptItem } from "./prompt-context.ts";
import { line } from "./quote.ts";

interface ItemsOf {
  readonly anchor: string;
  /** Undefined for the step itself. */
  readonly title: string | undefined;
  readonly items: readonly PromptItem[];
}

const STATES = { open: "open", in_progress: "open", completed: "done", deferred: "deferred" } as const;

/** Items of the step and of its substeps, each open one with the command that ticks it, unless it is to be plain. */
export function checklistOf(
  { plan, step }: PromptContext,
  which: "all" | "open" | "plain" = "all",
): readonly Block[] {
  if (step === undefined) return [];
  const all: readonly ItemsOf[] = [
    { anchor: step.anchor, title: undefined, items: step.items },
    ...step.substeps.map(({ anchor, title, items = [] }) => ({ anchor, title, items })),
  ];
  return all.flatMap(({ anchor, title, items }) => {
    const shown = which === "open" ? items.filter(isOpenItem) : items;
    if (shown.length === 0) return [];
    const tick = plan === undefined || which === "plain" ? undefined : tickOf(plan.path, anchor);
    // A substep without items is its own one item.
    if (title !== undefined && items.length === 1 && items[0]!.text === title)
      return [{ text: itemLine(items[0]!, tick, `substep ${line(anchor)}`) }];
    return [
      {
        label: title === undefined ? undefined : `Substep ${line(anchor)}: ${line(title)}`,
        text: [...shown.map((item) => itemLine(item, tick)), ...allAtOnce(items, tick)].join("\n"),
      },
    ];
  });
}

/** What ticks items of a step, but for which. */
const tickOf = (plan: string, anchor: string): string =>
  `pawl state update ${[plan, anchor].map((text) => shellWord(line(text))).join(" ")}`;

/** No box: one that looks like the plan's invites an agent to tick it there. */
function itemLine(item: PromptItem, tick: string | undefined, name?: string): string {
  const { kind, ordinal, text, status } = item;
  const words = `- ${STATES[status]}, ${name ?? `${kind} ${ordinal}`}: ${line(text)}`;
  return tick === undefined || !isOpenItem(item)
    ? words
    : `${words}\n  \`${tick} --${kind} ${ordinal} completed\``;
}

const allAtOnce = (items: readonly PromptItem[], tick: string | undefined): readonly string[] =>
  tick === undefined || items.filter(isOpenItem).length < 2
    ? []
    : [`- once all of these are true: \`${tick} --all completed\``];

/** An example of how to tick, for templates that have no checklist. */
export function tickExample({ plan, step }: PromptContext): string | undefined {
  const [first] = step?.items ?? [];
  if (plan === undefined || step === undefined || first === undefined) return undefined;
  return `${tickOf(plan.path, step.anchor)} --${first.kind} ${first.ordinal} completed`;
}

export const countOpen = ({ step }: PromptContext): number =>
  step === undefined
    ? 0
    : [step.items, ...step.substeps.map(({ items = [] }) => items)].flat().filter(isOpenItem).length;
