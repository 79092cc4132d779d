import { useMemo, useState } from "preact/hooks";
import { ITEM_KINDS } from "../../src/domain/plan.ts";
import { type Checklists, type Item, useChecklists } from "../checklists.ts";
import { ItemBox } from "../parts/item.tsx";
import { NotVerified, Progress, StepBadge, WorktreeName } from "../parts/small.tsx";
import { Ago } from "../parts/time.tsx";
import { Windowed } from "../parts/windowed.tsx";
import { to } from "../router.ts";
import type { StepLine } from "../types.ts";
import { fits, type PlanViewProps } from "./plan-view-props.ts";

const ROW = 32;
/** Shorter plans show their checklists at once: there is room, and they are what the work is. */
const MOST_OPEN = 200;

/** A line of the list: a step, or an item of the step above it. */
interface Line {
  readonly step: StepLine;
  readonly item?: number;
}

/** Every step and substep in the order of the plan, with their checklists. */
export function StepList({ plan, filter }: PlanViewProps) {
  const checklists = useChecklists(plan.planPath);
  const [chosen, setChosen] = useState<boolean>();
  const isOpen = chosen ?? plan.steps.length <= MOST_OPEN;
  const lines = useMemo(() => linesOf(plan.steps, filter, isOpen), [plan.steps, filter, isOpen]);
  return (
    <>
      <label class="toggle">
        <input
          type="checkbox"
          checked={isOpen}
          onChange={(event) => setChosen(event.currentTarget.checked)}
        />{" "}
        Checklists
      </label>
      {lines.length === 0 && <p class="muted none">No step has this name.</p>}
      <div class="step-list">
        <Windowed
          items={lines}
          rowHeight={ROW}
          keyOf={({ step, item }) => `${step.anchor} ${item ?? ""}`}
          label="Steps in the order of the plan"
          row={({ step, item }) =>
            item === undefined ? (
              <Row step={step} planPath={plan.planPath} />
            ) : (
              <ItemRow step={step} index={item} checklists={checklists} />
            )
          }
        />
      </div>
    </>
  );
}

/** How many items a step has is known before they are: so nothing moves when they come. */
const linesOf = (steps: readonly StepLine[], filter: string, isOpen: boolean): readonly Line[] =>
  steps.flatMap((step) =>
    fits(step, filter)
      ? [{ step }, ...Array.from({ length: isOpen ? step.items_total : 0 }, (_, item) => ({ step, item }))]
      : [],
  );

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
