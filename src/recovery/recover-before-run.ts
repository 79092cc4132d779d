import type { Interruption, Ports } from "../platform/ports/index.ts";
import { dropDeadRuns, type RunEvent, type RunRecovery, type ScanExtent } from "../runs/index.ts";
import { type RuleName, ruleOf } from "./rules/index.ts";
import { recover, type RecoverAnswer, type RecoverRequest } from "./recover.ts";
import { repairOrRefuse } from "./repair/repair-damage.ts";

export interface BeforeRunRequest {
  /** The plan's key. */
  readonly plan: string;
  readonly ask?: RecoverRequest["ask"];
  readonly tell?: RecoverRequest["tell"];
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  readonly interruption?: Interruption | undefined;
}

const isAsked = (rule: RuleName): boolean => ruleOf(rule).beforeRun === "asks";

const NOTHING: RecoverAnswer = { dryRun: false, findings: [], repaired: [], open: [] };

/** Before each run: after a clean end only what was in progress then is looked at, after anything else all of the plan. */
export async function recoverBeforeRun(
  ports: Ports,
  extent: ScanExtent,
  request: BeforeRunRequest,
): Promise<RecoverAnswer> {
  const { plan, ask, ...others } = request;
  if (extent.kind === "listed" && extent.steps.size === 0) return NOTHING;
  const isFull = extent.kind === "full";
  const answer = await recover(ports, {
    ...others,
    scope: { plan, steps: isFull ? undefined : extent.steps, withoutWorktrees: true },
    leaves: (rule) => ruleOf(rule).beforeRun === "leaves",
    ask: ask && (async (finding, others) => (isAsked(finding.rule) ? ask(finding, others) : undefined)),
  });
  if (isFull) await dropDeadRuns(ports, plan);
  return { ...answer, open: answer.open.filter(({ rule }) => isAsked(rule)) };
}

/** What runs need of this room. */
export const recoveryFor = (ports: Ports): RunRecovery => ({
  repairDamage: () => repairOrRefuse(ports),
  beforeRun: (extent, request) => recoverBeforeRun(ports, extent, request),
});
