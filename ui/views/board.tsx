import { useMemo, useRef, useState } from "preact/hooks";
import { LANES } from "../../src/domain/lane.ts";
import { NotVerified, Progress, WorktreeName } from "../parts/small.tsx";
import { useDoing } from "../doing.ts";
import { Ago, Lasted } from "../parts/time.tsx";
import { Windowed } from "../parts/windowed.tsx";
import { to } from "../router.ts";
import type { Lane, StepLine } from "../types.ts";
import { groupName, plural, reasonWords, standing } from "../words.ts";
import { fits, type PlanViewProps } from "./plan-view-props.ts";

const CARD = 108;

/** Steps by where they stand. */
export function Board({ plan, filter }: PlanViewProps) {
  const columns = useMemo(() => {
    const sorted = new Map<Lane, StepLine[]>(LANES.map((lane) => [lane, []]));
    for (const step of plan.steps)
      if (step.parent_anchor === null && fits(step, filter)) sorted.get(step.lane)?.push(step);
    // What was done last is looked for first.
    sorted.get("done")?.sort((a, b) => ((a.completed_at ?? "") < (b.completed_at ?? "") ? 1 : -1));
    return sorted;
  }, [plan.steps, filter]);
  // What a filter hides is still there.
  const totals = useMemo(() => {
    const counted = new Map<Lane, number>();
    for (const { parent_anchor, lane } of plan.steps)
      if (parent_anchor === null) counted.set(lane, (counted.get(lane) ?? 0) + 1);
    return counted;
  }, [plan.steps]);
  const [folded, fold] = useFolded(columns, plan.isComplete);
  const doing = useDoing((columns.get("working")?.length ?? 0) + (columns.get("verifying")?.length ?? 0) > 0);
  return (
    <div class="board">
      {LANES.map((lane) => {
        const steps = columns.get(lane) ?? [];
        const isFolded = folded.has(lane);
        const fitting = steps.length.toLocaleString("en");
        const count =
          filter === "" ? fitting : `${fitting} of ${(totals.get(lane) ?? 0).toLocaleString("en")}`;
        const word = groupName(lane, steps);
        const name = `${word}, ${count}`;
        return (
          <section key={lane} class={`column ${lane} ${isFolded ? "folded" : ""}`} aria-label={name}>
            <h2>
              <button
                type="button"
                aria-expanded={!isFolded}
                title={isFolded ? "Unfold" : "Fold"}
                onClick={() => fold(lane)}
              >
                <span class={`dot ${lane}`} aria-hidden="true" />
                <span class="name">{word}</span> <span class="count">{count}</span>
              </button>
            </h2>
            {isFolded ? null : steps.length === 0 ? (
              <p class="none">{filter === "" ? NONE[lane] : "No step here matches"}</p>
            ) : (
              <Windowed
                items={steps}
                rowHeight={CARD}
                keyOf={(step) => step.anchor}
                label={`${word} steps`}
                row={(step) => (
                  <Card step={step} planPath={plan.planPath} line={doing.get(step.session_id ?? "")} />
                )}
              />
            )}
          </section>
        );
      })}
    </div>
  );
}

/**
 * Columns that are empty when the board is opened are folded: the others have their room. Later on one unfolds when
 * something comes into it, and none folds by itself, because what is below the pointer must not move away.
 */
function useFolded(columns: ReadonlyMap<Lane, readonly StepLine[]>, isComplete: boolean) {
  const [chosen, setChosen] = useState<ReadonlyMap<Lane, boolean>>(new Map());
  const filled = useRef(new Set<Lane>());
  const isKnown = useRef(false);
  for (const [lane, steps] of columns) if (steps.length > 0) filled.current.add(lane);
  isKnown.current ||= isComplete;
  const folded = new Set(
    LANES.filter((lane) => chosen.get(lane) ?? (isKnown.current && !filled.current.has(lane))),
  );
  const fold = (lane: Lane): void => setChosen(new Map([...chosen, [lane, !folded.has(lane)]]));
  return [folded, fold] as const;
}

const NONE: Readonly<Record<Lane, string>> = {
  ready: "Nothing to claim now",
  waiting: "Nothing waits for others",
  working: "No agent is running",
  verifying: "Nothing is being verified",
  stopped: "Nothing is blocked",
  done: "Nothing is done yet",
};

const Card = ({
  step,
  planPath,
  line,
}: {
  readonly step: StepLine;
  readonly planPath: string;
  /** What its agent said last. */
  readonly line: string | undefined;
}) => (
  <a
    class={`step-card ${step.lane}`}
    href={to("plan", planPath, "step", step.anchor)}
    data-anchor={step.anchor}
  >
    <span class="title" dir="auto">
      {step.title}
    </span>
    <span class="facts">
      <Fact step={step} line={line} />
    </span>
    <span class="foot">
      <span class="anchor">{step.anchor}</span>
      {step.items_total > 0 && <Progress done={step.items_completed} total={step.items_total} />}
    </span>
  </a>
);

/** The one thing that matters about a step where it stands. */
function Fact({ step, line }: { readonly step: StepLine; readonly line: string | undefined }) {
  if (step.lane === "working" || step.lane === "verifying")
    return (
      <>
        {line === undefined ? (
          step.claimed_by && <WorktreeName path={step.claimed_by} />
        ) : (
          <span class="last-line" title={line} dir="auto">
            {line}
          </span>
        )}
        {step.started_at && <Lasted from={step.started_at} until={null} />}
      </>
    );
  if (step.interrupted_at !== null)
    return (
      <span class="warn">
        interrupted <Ago at={step.interrupted_at} />
      </span>
    );
  if (step.lane === "stopped")
    return <span class="warn">{step.block_reason ? reasonWords(step.block_reason) : standing(step)}</span>;
  if (step.lane === "waiting") return <span>for {(step.depends_on ?? []).join(", ")}</span>;
  if (step.lane === "done")
    return (
      <>
        <Ago at={step.completed_at} />
        <NotVerified step={step} />
      </>
    );
  return <span>{step.attempts > 0 ? `${plural(step.attempts, "attempt")} so far` : "not claimed yet"}</span>;
}
