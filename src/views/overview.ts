import { type Instant, type Lane, LANES, type UsageView } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { countLanes, listPlanRows } from "../plans/index.ts";
import type { PlanRow } from "../platform/index.ts";
import { openIfThere } from "../journal/index.ts";
import { runSettingsOf } from "../agents/index.ts";
import { asEntered } from "../sessions/index.ts";
import { editorLink } from "./editor-link.ts";
import { plansUsage } from "./plans-usage.ts";

export interface PlanOverview {
  readonly planPath: string;
  readonly phaseTitle: string | null;
  readonly status: PlanRow["status"];
  readonly stepsTotal: number;
  readonly stepsCompleted: number;
  /** Of a session that was cut off. */
  readonly stepsInterrupted: number;
  /** Blocked or on hold. */
  readonly stepsBlocked: number;
  /** How many steps stand where. */
  readonly lanes: Readonly<Record<Lane, number>>;
  readonly fileMissing: boolean;
  /** What was spent on it; null where nothing is on record. */
  readonly usage: UsageView | null;
  readonly updatedAt: Instant;
}

export interface Overview {
  readonly repository: string;
  /** Where the repository's files are; null where it has none. */
  readonly root: string | null;
  readonly plans: readonly PlanOverview[];
  /** Plans in the usual places that have no state yet. */
  readonly unread: readonly string[];
  /** What agents are started with, if it is configured. */
  readonly agent: string | null;
  /** The address of a file in a person's editor, with `{path}` and `{line}` in it, if one is configured. */
  readonly editor: string | null;
}

/** What there is, at a glance. */
export async function overview(ports: Ports): Promise<Overview> {
  const root = ports.repository.mainTopLevel ?? ports.repository.topLevel ?? null;
  const database = await openIfThere(asEntered(ports));
  const seen = await database?.read(async (sql) => ({
    plans: await sql.all(listPlanRows, {}),
    counts: await sql.all(countLanes, {}),
    usage: await plansUsage(sql),
  }));
  const { plans = [], counts = [], usage = () => null } = seen ?? {};
  const steps = new Map(counts.map((row) => [`${row.lane} ${row.plan_path}`, row.steps]));
  const known = new Set(plans.map(({ plan_path }) => plan_path));
  return {
    repository: nameOf(root ?? ports.repository.commonDir),
    root,
    plans: plans.map((plan) => {
      const glance = glanceOf(ports, plan, (lane) => steps.get(`${lane} ${plan.plan_path}`) ?? 0);
      const stepsBlocked = counts
        .filter(({ plan_path }) => plan_path === plan.plan_path)
        .reduce((sum, { blocked }) => sum + blocked, 0);
      return {
        ...glance,
        stepsInterrupted: glance.lanes.stopped - stepsBlocked,
        stepsBlocked,
        usage: usage(plan.plan_path),
      };
    }),
    unread: ports.plans.search().filter((key) => !known.has(key)),
    agent: runSettingsOf(ports).agent ?? null,
    editor: editorLink(ports.settings.editor),
  };
}

function glanceOf(
  { plans }: Ports,
  plan: PlanRow,
  count: (lane: Lane) => number,
): Omit<PlanOverview, "usage" | "stepsInterrupted" | "stepsBlocked"> {
  return {
    planPath: plan.plan_path,
    phaseTitle: plan.phase_title,
    status: plan.status,
    stepsTotal: LANES.reduce((sum, lane) => sum + count(lane), 0),
    stepsCompleted: count("done"),
    lanes: Object.fromEntries(LANES.map((lane) => [lane, count(lane)])) as PlanOverview["lanes"],
    fileMissing: !plans.existsAnywhere(plan.plan_path),
    updatedAt: plan.updated_at,
  };
}

const nameOf = (path: string): string => path.split("/").findLast((part) => part !== "") ?? path;
