import type { Instant } from "../../domain/instant.ts";
import { type Lane, LANES } from "../../domain/lane.ts";
import type { Ports } from "../../ports/index.ts";
import { countLanes } from "../../store/statements/count-lanes.ts";
import { list, type PlanSummary } from "../list.ts";
import { openIfThere } from "../worktree-use.ts";

export interface PlanGlance {
  readonly planPath: string;
  readonly phaseTitle: string | null;
  readonly status: PlanSummary["status"];
  readonly stepsTotal: number;
  readonly stepsCompleted: number;
  /** How many steps stand where. */
  readonly lanes: Readonly<Record<Lane, number>>;
  readonly fileMissing: boolean;
  readonly updatedAt: Instant;
}

export interface Overview {
  readonly repository: string;
  /** Where the repository's files are; null where it has none. */
  readonly root: string | null;
  readonly plans: readonly PlanGlance[];
  /** Plans in the usual places that have no state yet. */
  readonly unread: readonly string[];
  /** What agents are started with, if somebody configured it. */
  readonly agent: string | null;
}

/** What there is, at a glance. */
export async function overview(ports: Ports): Promise<Overview> {
  const root = ports.repository.mainTopLevel ?? ports.repository.topLevel ?? null;
  const database = await openIfThere(ports);
  const plans = database === undefined ? [] : await list(ports);
  const rows = database === undefined ? [] : await database.read((sql) => sql.all(countLanes, {}));
  const counts = new Map(rows.map(({ plan_path, lane, steps }) => [`${lane} ${plan_path}`, steps]));
  const known = new Set(plans.map(({ planPath }) => planPath));
  return {
    repository: nameOf(root ?? ports.repository.commonDir),
    root,
    plans: plans.map((plan) => ({
      planPath: plan.planPath,
      phaseTitle: plan.phaseTitle,
      status: plan.status,
      stepsTotal: plan.stepsTotal,
      stepsCompleted: plan.stepsCompleted,
      lanes: Object.fromEntries(
        LANES.map((lane) => [lane, counts.get(`${lane} ${plan.planPath}`) ?? 0]),
      ) as Readonly<Record<Lane, number>>,
      fileMissing: plan.fileMissing,
      updatedAt: plan.updatedAt,
    })),
    unread: ports.plans.search().filter((key) => !known.has(key)),
    agent: (await ports.running()).settings.agent ?? null,
  };
}

const nameOf = (path: string): string => path.split("/").findLast((part) => part !== "") ?? path;
