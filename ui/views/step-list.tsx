import { useMemo, useState } from "preact/hooks";
import { ITEM_KINDS } from "../../src/domain/plan.ts";
import { type Checklists, type Item, useChecklists } from "../checklists.ts";
import { ItemBox } from "../parts/item.tsx";
import { NotVerified, Progress, StepBadge, WorktreeName } from "../parts/small.tsx";
import { Ago } from "../parts/time.tsx";
import { Windowed } from "../parts/windowed.tsx";
import { to } from "../router.ts";
import type { StepLine } from "../types.ts";
import { groupName } from "../words.ts";
import { fits, type PlanViewProps } from "./plan-view-props.ts";

const ROW = 32;
/** Shorter plans show their checklists at once: there is room, and they are what the work is. */
const MOST_OPEN = 200;

/** A line of the list: a step, an item of the step above it, or the name of a group. */
type Line =
  | { readonly step: StepLine; readonly item?: number; readonly group?: undefined }
  | { readonly group: string; readonly count: number };

const lasted = ({ started_at, completed_at }: StepLine): number =>
  started_at === null
    ? -1
    : (completed_at === null ? Date.now() : Date.parse(completed_at)) - Date.parse(started_at);

const SORTS = {
  plan: ["order of the plan", undefined],
  newest: [
    "last change",
    (a, b) => ((b.completed_at ?? b.started_at ?? "") < (a.completed_at ?? a.started_at ?? "") ? -1 : 1),
  ],
  longest: ["time taken", (a, b) => lasted(b) - lasted(a)],
  attempts: ["attempts", (a, b) => b.attempts - a.attempts],
} as const satisfies Readonly<
  Record<string, readonly [label: string, compare: ((a: StepLine, b: StepLine) => number) | undefined]>
>;

const GROUPS = {
  none: ["nothing", undefined],
  lane: ["state", (step) => groupName(step.lane, [step])],
  worker: ["worker", (step) => step.claimed_by?.split("/").at(-1) ?? "No worker"],
} as const satisfies Readonly<
  Record<string, readonly [label: string, nameOf: ((step: StepLine) => string) | undefined]>
>;

interface Arrangement {
  readonly sort: keyof typeof SORTS;
  readonly group: keyof typeof GROUPS;
}

/** Every step and substep in the order of the plan, with their checklists. */
export function StepList({ plan, filter }: PlanViewProps) {
  const checklists = useChecklists(plan.planPath);
  const [chosen, setChosen] = useState<boolean>();
  const isOpen = chosen ?? plan.steps.length <= MOST_OPEN;
  const [by, setBy] = useState<Arrangement>({ sort: "plan", group: "none" });
  const lines = useMemo(() => linesOf(plan.steps, filter, isOpen, by), [plan.steps, filter, isOpen, by]);
  return (
    <>
      <div class="bar list-bar">
        <label class="toggle">
          <input
            type="checkbox"
            checked={isOpen}
            onChange={(event) => setChosen(event.currentTarget.checked)}
          />{" "}
          Checklists
        </label>
        <label class="select">
          Sort by
          <select
            value={by.sort}
            onChange={({ currentTarget: { value } }) => setBy({ ...by, sort: value as Arrangement["sort"] })}
          >
            {Object.entries(SORTS).map(([name, [label]]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label class="select">
          Group by
          <select
            value={by.group}
            onChange={({ currentTarget: { value } }) =>
              setBy({ ...by, group: value as Arrangement["group"] })
            }
          >
            {Object.entries(GROUPS).map(([name, [label]]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </div>
      {lines.length === 0 && <p class="muted none">No step matches the filter.</p>}
      <div class="step-list">
        <Windowed
          items={lines}
          rowHeight={ROW}
          keyOf={(line) =>
            line.group === undefined ? `${line.step.anchor} ${line.item ?? ""}` : `group ${line.group}`
          }
          label={`Steps by ${SORTS[by.sort][0]}`}
          row={(line) =>
            line.group !== undefined ? (
              <p class="group-row">
                <strong>{line.group}</strong> <span class="count">{line.count.toLocaleString("en")}</span>
              </p>
            ) : line.item === undefined ? (
              <Row step={line.step} planPath={plan.planPath} />
            ) : (
              <ItemRow step={line.step} index={line.item} checklists={checklists} />
            )
          }
        />
      </div>
    </>
  );
}

/** How many items a step has is known before they are: so nothing moves when they come. */
function linesOf(
  all: readonly StepLine[],
  filter: string,
  isOpen: boolean,
  by: Arrangement,
): readonly Line[] {
  const found = all.filter((step) => fits(step, filter));
  const [, compare] = SORTS[by.sort];
  const steps = compare === undefined ? found : found.toSorted(compare);
  const lines = (some: readonly StepLine[]): readonly Line[] =>
    some.flatMap((step) => [
      { step },
      ...Array.from({ length: isOpen ? step.items_total : 0 }, (_, item) => ({ step, item })),
    ]);
  const [, nameOf] = GROUPS[by.group];
  if (nameOf === undefined) return lines(steps);
  const groups = new Map<string, StepLine[]>();
  for (const step of steps) {
    const group = nameOf(step);
    const known = groups.get(group);
    if (known) known.push(step);
    else groups.set(group, [step]);
  }
  return [...groups].flatMap(([group, members]) => [{ group, count: members.length }, ...lines(members)]);
}

const Row = ({ step, planPath }: { readonly step: StepLine; readonly planPath: string }) => (
  <a
    class={`step-row ${step.parent_anchor === null ? "" : "sub"}`}
    href={to("plan", planPath, "step", step.anchor)}
    data-anchor={step.anchor}
  >
    <StepBadge step={step} />
    <span class="title" dir="auto">
      {step.title}
    </span>
    <span class="anchor">{step.anchor}</span>
    <span class="who">
      {step.completed_at ? (
        <>
          <Ago at={step.completed_at} /> <NotVerified step={step} />
        </>
      ) : (
        step.claimed_by && <WorktreeName path={step.claimed_by} />
      )}
    </span>
    <span class="items">
      {step.items_total > 0 && <Progress done={step.items_completed} total={step.items_total} />}
    </span>
  </a>
);

const placeOf = ({ kind }: Item): number => ITEM_KINDS.findIndex((one) => one === kind);

const inOrder = (items: readonly Item[]): readonly Item[] =>
  items.toSorted((a, b) => placeOf(a) - placeOf(b) || a.ordinal - b.ordinal);

function ItemRow({
  step,
  index,
  checklists,
}: {
  readonly step: StepLine;
  readonly index: number;
  readonly checklists: Checklists;
}) {
  const item = inOrder(checklists.of(step.anchor) ?? [])[index];
  return (
    <div class={`item-row ${item?.status ?? ""}`} data-item={`${step.anchor} ${index}`}>
      {item && (
        <>
          <ItemBox status={item.status} />
          <span class="text" dir="auto">
            {item.text}
          </span>
          {item.kind !== "task" && <span class="muted kind">{item.kind}</span>}
        </>
      )}
    </div>
  );
}
