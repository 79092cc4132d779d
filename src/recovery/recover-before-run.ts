import type { Interruption, Ports } from "../platform/ports/index.ts";
import { dropDeadRuns, type RunEvent, type RunRecovery, type ScanExtent } from "../runs/index.ts";
import { type RuleName, ruleOf } from "./rules/index.ts";
import { recover, type RecoverAnswer, type RecoverRequest } from "./recover.ts";
import type { FindingView } from "./subject.ts";
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

/** What recovery did before a run, and what it left to people. */
export interface BeforeRunAnswer extends RecoverAnswer {
  /** What the run continues because no one could be asked. */
  readonly continued: readonly FindingView[];
}

const NOTHING: BeforeRunAnswer = { dryRun: false, findings: [], repaired: [], open: [], continued: [] };

/** Without a person, the choice is the rule's own: a step that was begun long ago is continued. */
const unasked: NonNullable<RecoverRequest["ask"]> = async ({ rule, choices = [] }) =>
  choices.find((one) => one.do === ruleOf(rule).unasked)?.key;

/** Before each run: after a clean end only what was in progress then is checked, after anything else all of the plan. */
export async function recoverBeforeRun(
  ports: Ports,
  extent: ScanExtent,
  request: BeforeRunRequest,
): Promise<BeforeRunAnswer> {
  const { plan, ask = unasked, ...others } = request;
  if (extent.kind === "listed" && extent.steps.size === 0) return NOTHING;
  const isFull = extent.kind === "full";
  const answer = await recover(ports, {
    ...others,
    scope: { plan, steps: isFull ? undefined : extent.steps, withoutWorktrees: true },
    leaves: (rule) => ruleOf(rule).beforeRun === "leaves",
    ask: async (finding, others) => (isAsked(finding.rule) ? ask(finding, others) : undefined),
  });
  if (isFull) await dropDeadRuns(ports, plan);
  const isContinued = ({ rule, subject }: FindingView) =>
    answer.repaired.some(
      (one) => one.rule === rule && one.subject === subject && one.repair === ruleOf(rule).unasked,
    );
  return {
    ...answer,
    open: answer.open.filter(({ rule }) => isAsked(rule)),
    continued: request.ask === undefined ? answer.findings.filter(isContinued) : [],
  };
}

/** What runs need of this room. */
export const recoveryFor = (ports: Ports): RunRecovery => ({
  repairDamage: (plan) => repairOrRefuse(ports, plan),
  beforeRun: (extent, request) => recoverBeforeRun(ports, extent, request),
});
