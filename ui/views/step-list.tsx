import { useMemo } from "preact/hooks";
import { Progress, StepBadge } from "../parts/small.tsx";
import { Ago } from "../parts/time.tsx";
import { Windowed } from "../parts/windowed.tsx";
import { to } from "../router.ts";
import type { StepLine } from "../types.ts";
import { shortPath } from "../words.ts";
import { fits, type PlanViewProps } from "./plan-view-props.ts";

const ROW = 40;

/** Every step and substep in the order of the plan. */
export function StepList({ plan, filter }: PlanViewProps) {
  const steps = useMemo(() => plan.steps.filter((step) => fits(step, filter)), [plan.steps, filter]);
  return (
    <div class="step-list">
      <Windowed
        items={steps}
        rowHeight={ROW}
        keyOf={(step) => step.anchor}
        label="Steps in the order of the plan"
        row={(step) => <Row step={step} planPath={plan.planPath} />}
      />
    </div>
  );
}

const Row = ({ step, planPath }: { readonly step: StepLine; readonly planPath: string }) => (
  <a
    class={`step-row ${step.parent_anchor === null ? "" : "sub"}`}
    href={to("plan", planPath, "step", step.anchor)}
    data-anchor={step.anchor}
  >
    <StepBadge step={step} />
    <span class="title">{step.title}</span>
    <span class="anchor">{step.anchor}</span>
    <span class="who" title={step.claimed_by ?? ""}>
      {step.completed_at ? <Ago at={step.completed_at} /> : step.claimed_by && shortPath(step.claimed_by)}
    </span>
    <span class="items">
      {step.items_total > 0 && <Progress done={step.items_completed} total={step.items_total} />}
    </span>
  </a>
);
