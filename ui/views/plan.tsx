import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Refused } from "../api.ts";
import { FileNews } from "../file-news.tsx";
import { Choices } from "../parts/act.tsx";
import { FilePath } from "../parts/file-path.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";
import { Empty, Heading, Loading, Trouble, Unknown } from "../parts/small.tsx";
import { type PlanSteps, usePlanSteps } from "../plan-steps.ts";
import { to } from "../router.ts";
import type { Finding, TrainPlace } from "../types.ts";
import { plural } from "../words.ts";
import { Board } from "./board.tsx";
import { ChangesOf } from "./changes.tsx";
import { FindingCards } from "./findings.tsx";
import type { PlanViewProps } from "./plan-view-props.ts";
import { StepList } from "./step-list.tsx";
import { Train } from "./train.tsx";

const WAYS: readonly (readonly [name: string, label: string, icon: IconName])[] = [
  ["board", "Board", "board"],
  ["graph", "Graph", "graph"],
  ["list", "List", "list"],
  ["changes", "Changes", "diff"],
];

interface PlanProps {
  readonly path: string;
  readonly way: string;
  /** Its file is there, and it has no state yet. */
  readonly isUnread: boolean;
  /** Its steps that wait to land. */
  readonly train: readonly TrainPlace[];
  /** Its file is not what was read, and a person decides what that means. */
  readonly edited: Finding | undefined;
}

/** One plan, as a board, a graph or a list. */
export function Plan({ path, way, isUnread, train, edited }: PlanProps) {
  const plan = usePlanSteps(path);
  const [filter, setFilter] = useState("");
  const done = plan.steps.filter(
    ({ lane, parent_anchor }) => lane === "done" && parent_anchor === null,
  ).length;
  const total = plan.steps.filter(({ parent_anchor }) => parent_anchor === null).length;
  if (plan.steps.length === 0 && isMissing(plan.error)) return <NoPlan path={path} isUnread={isUnread} />;
  return (
    <div class="view plan full">
      <Heading
        title={plan.title ?? path}
        about={
          <>
            <FilePath path={path} /> · {done.toLocaleString("en")} of {plural(total, "step")} done
            <FileNews plan={path} />
            {!plan.isComplete && total > 0 && " · still loading"}
          </>
        }
      >
        <a class="button" href={to("timeline", path)}>
          <Icon name="timeline" /> Timeline
        </a>
        <Choices
          // Of a plan that is done, only merging is left.
          choices={total > 0 && done === total ? ["merge", "run", "add"] : ["run", "merge", "add"]}
          subject={{ plan: path }}
          about={path}
        />
      </Heading>
      <Train places={train} />
      {edited && (
        <ul class="edited">
          <FindingCards findings={[edited]} runs={[]} />
        </ul>
      )}
      <div class="bar">
        <nav class="tabs" aria-label="Ways to see the plan">
          {WAYS.map(([name, label, icon]) => (
            <a key={name} href={to("plan", path, name)} aria-current={way === name ? "page" : undefined}>
              <Icon name={icon} /> {label}
            </a>
          ))}
        </nav>
        <label class="filter">
          <Icon name="search" />
          <input
            type="search"
            placeholder="Filter steps"
            aria-label="Filter steps"
            value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
        </label>
      </div>
      <Inside plan={plan} way={way} filter={filter.trim().toLowerCase()} />
    </div>
  );
}

const isMissing = (error: Refused | undefined): boolean =>
  error?.issue?.name === "plan/not-initialised" || error?.issue?.name === "plan/not-found";

const NoPlan = ({ path, isUnread }: Pick<PlanProps, "path" | "isUnread">) => (
  <Unknown
    title={isUnread ? "This plan has no state yet" : "There is no such plan"}
    about={<code>{path}</code>}
  >
    {isUnread && <Choices choices={["read"]} subject={{ plan: path }} about={path} />}
    <a class="button" href={to()}>
      All plans
    </a>
  </Unknown>
);

function Inside({ plan, way, filter }: PlanViewProps & { readonly way: string }) {
  if (plan.error && plan.steps.length === 0) return <Trouble error={plan.error} />;
  if (plan.steps.length === 0)
    return plan.isComplete ? (
      <Empty icon="list" title="This plan has no steps">
        <p>
          <code>pawl plan check</code> shows what it reads in the file.
        </p>
      </Empty>
    ) : (
      <Loading lines={8} />
    );
  if (way === "graph") return <LazyGraph plan={plan} filter={filter} />;
  if (way === "changes")
    return <ChangesOf params={{ plan: plan.planPath }} label="Changes of the whole branch" isWhole />;
  if (way === "list") return <StepList plan={plan} filter={filter} />;
  return <Board plan={plan} filter={filter} />;
}

/** The graph is the one part that many never look at; it is loaded with the first look. */
function LazyGraph({ plan, filter }: PlanViewProps) {
  const [Graph, setGraph] = useState<ComponentType<PlanViewProps>>();
  useEffect(() => {
    void import("../graph/graph.tsx").then(({ Graph: loaded }) => setGraph(() => loaded));
  }, []);
  const shown = useGrown(plan);
  return Graph ? <Graph plan={shown} filter={filter} /> : <Loading lines={8} />;
}

/**
 * What is loaded is shown at once, and again whenever it has doubled: laid out with every page that comes, a long plan
 * would take many times as long as once.
 */
function useGrown(plan: PlanSteps): PlanSteps {
  const shown = useRef(plan);
  const { planPath, steps } = shown.current;
  if (plan.isComplete || plan.planPath !== planPath || plan.steps.length >= 2 * steps.length)
    shown.current = plan;
  return shown.current;
}
