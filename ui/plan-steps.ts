import { useEffect, useState } from "preact/hooks";
import { ask, isTooMany, LATER_MS, Refused } from "./api.ts";
import { type Again, gather } from "./gather.ts";
import { onNews } from "./live.ts";
import type { StepLine, StepsPage } from "./types.ts";

/** The steps of a plan, as far as they are loaded. A new object whenever something changed. */
export interface PlanSteps {
  readonly planPath: string;
  readonly title: string | null;
  /** In the order of the plan, substeps behind their steps. */
  readonly steps: readonly StepLine[];
  readonly byAnchor: ReadonlyMap<string, StepLine>;
  readonly isComplete: boolean;
  readonly error: Refused | undefined;
}

const FIRST = 200;
/** Reading more at once would keep other windows waiting. */
const PAGE = 500;
/** Drawing every page as it comes would take longer than reading them. */
const SHOW_MS = 200;
const MOST_NAMED = 150;

/**
 * Loads a plan in pages, and keeps it as it is by asking for the steps that something happened to.
 *
 * The plan that was shown last stays in memory while another view is shown: coming back costs only what has changed.
 */
export function usePlanSteps(planPath: string): PlanSteps {
  const [state, setState] = useState<PlanSteps>(() => keeperOf(planPath).now());
  useEffect(() => {
    const keeper = keeperOf(planPath);
    setState(keeper.now());
    return keeper.follow(setState);
  }, [planPath]);
  return state.planPath === planPath ? state : empty(planPath);
}

interface Keeper {
  readonly planPath: string;
  readonly now: () => PlanSteps;
  readonly follow: (hear: (state: PlanSteps) => void) => () => void;
  readonly stop: () => void;
}

let kept: Keeper | undefined;

function keeperOf(planPath: string): Keeper {
  if (kept?.planPath === planPath) return kept;
  kept?.stop();
  return (kept = keep(planPath));
}

const empty = (planPath: string): PlanSteps => ({
  planPath,
  title: null,
  steps: [],
  byAnchor: new Map(),
  isComplete: false,
  error: undefined,
});

function keep(planPath: string): Keeper {
  const stop = new AbortController();
  const { signal } = stop;
  let state = empty(planPath);
  let isAllWanted = true;
  const touched = new Set<string>();
  const followers = new Set<(state: PlanSteps) => void>();
  const set = (next: PlanSteps): void => {
    state = next;
    for (const hear of followers) hear(next);
  };
  /** One read at a time: an older answer must not come after a newer one. */
  const loading = gather(async (): Promise<Again> => {
    const anchors = [...touched];
    const isAll = isAllWanted || anchors.length > MOST_NAMED;
    touched.clear();
    isAllWanted = false;
    try {
      if (isAll) await loadAll(planPath, signal, () => state, set);
      else set(withChanges(state, await loadSome(planPath, anchors, signal)));
    } catch (error) {
      isAllWanted = true;
      if (isTooMany(error)) return LATER_MS;
      if (error instanceof Refused) set({ ...state, error });
    }
    return undefined;
  });
  const unlisten = onNews((news) => {
    if (news.kind !== "again" && (news.kind !== "journal" || news.event.plan_path !== planPath)) return;
    const anchor = news.kind === "journal" ? news.event.anchor : null;
    if (anchor === null) isAllWanted = true;
    else for (const one of around(state, anchor)) touched.add(one);
    // The page is hidden: it is enough to know what to ask for when it is shown.
    if (followers.size > 0) loading.soon();
  });
  return {
    planPath,
    now: () => state,
    follow(hear) {
      followers.add(hear);
      if (isAllWanted || touched.size > 0) loading.soon();
      return () => void followers.delete(hear);
    },
    stop() {
      stop.abort();
      loading.stop();
      unlisten();
    },
  };
}

async function loadSome(
  plan: string,
  anchors: readonly string[],
  signal: AbortSignal,
): Promise<readonly StepLine[]> {
  return (await ask<StepsPage>("/api/steps", { plan, anchor: anchors }, signal)).steps;
}

async function loadAll(
  planPath: string,
  signal: AbortSignal,
  before: () => PlanSteps,
  set: (state: PlanSteps) => void,
): Promise<void> {
  const steps: StepLine[] = [];
  const byAnchor = new Map<string, StepLine>();
  let shownAt = -Infinity;
  for (let after: number | null | undefined; after !== null;) {
    const most = steps.length === 0 ? FIRST : PAGE;
    const page: StepsPage = await ask<StepsPage>("/api/steps", { plan: planPath, after, most }, signal);
    for (const step of page.steps) {
      steps.push(step);
      byAnchor.set(step.anchor, step);
    }
    after = page.next;
    const isComplete = after === null;
    // While it is read anew, what was there stays until all of it is there.
    const isDue = !before().isComplete && performance.now() - shownAt >= SHOW_MS;
    if (!isComplete && !isDue) continue;
    shownAt = performance.now();
    set({ planPath, title: page.phase_title, steps: [...steps], byAnchor, isComplete, error: undefined });
  }
}

/** A step, its substeps, the step it belongs to, and those that wait for it: its change may be theirs. */
function around({ steps, byAnchor }: PlanSteps, anchor: string): readonly string[] {
  const found = [anchor];
  const parent = byAnchor.get(anchor)?.parent_anchor;
  if (parent) found.push(parent);
  for (const step of steps)
    if (step.parent_anchor === anchor || step.depends_on?.includes(anchor)) found.push(step.anchor);
  return found;
}

function withChanges(state: PlanSteps, changes: readonly StepLine[]): PlanSteps {
  const fresh = new Map(changes.map((step) => [step.anchor, step]));
  const steps = state.steps.map((step) => {
    const change = fresh.get(step.anchor);
    return change ? { ...change, depends_on: step.depends_on ?? [] } : step;
  });
  return { ...state, steps, byAnchor: new Map(steps.map((step) => [step.anchor, step])), error: undefined };
}
