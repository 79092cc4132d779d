import { Failure, shellWord } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { forgottenPlans } from "../plans/index.ts";
import { loadDiagnosis, mattersIn } from "../recovery/index.ts";
import { installedAgents, type InstalledAgent } from "./installed-agents.ts";
import { overview, type PlanGlance } from "./overview.ts";
import { listRuns, type RunView } from "./runs.ts";

export interface PlanAtHome {
  readonly planPath: string;
  readonly stepsTotal: number;
  readonly stepsCompleted: number;
  /** Blocked or on hold. */
  readonly stepsBlocked: number;
  /** Whether all of its steps are completed and its branch has work that the base has not. */
  readonly isToMerge: boolean;
}

/** Something that waits for a person, and the command that shows it. */
export interface PersonalMatter {
  readonly found: string;
  readonly command: string;
}

/** All that a person needs who types `pawl` and nothing else. */
export interface HomeAnswer {
  readonly repository: string;
  /** Null in a bare repository, where no plan can lie. */
  readonly root: string | null;
  readonly hasSettings: boolean;
  /** Those with state: the unfinished first, each kind newest first. */
  readonly plans: readonly PlanAtHome[];
  /** Plans without state. */
  readonly unread: readonly string[];
  /** Files with open boxes: plans, if a person says so. */
  readonly checklists: readonly string[];
  readonly agents: readonly Pick<InstalledAgent, "name" | "profile" | "containedBy" | "isDefault">[];
  readonly running: readonly string[];
  readonly waiting: readonly PersonalMatter[];
  /** Why nothing is known of what waits for a person. */
  readonly undiagnosed: string | null;
  /** The one command to type next. */
  readonly next: string;
}

/** What is here, what needs a person, and the one command to type next. Changes nothing. */
export async function home(ports: Ports): Promise<HomeAnswer> {
  const { repository, root, plans, unread, agent } = await overview(ports);
  const known = new Set(plans.map(({ planPath }) => planPath));
  const [{ agents }, runs, waiting, unmerged] = await Promise.all([
    installedAgents(ports, { versions: false }),
    listRuns(ports, { only: "running" }),
    waitingFor(ports, {
      atStandstill: new Set(plans.filter(isAtStandstill).map(({ planPath }) => planPath)),
      mayBeForgotten: unread.length > 0,
    }),
    plans.some(isFinished) ? unmergedPlans(ports) : new Set<string>(),
  ]);
  const seen = {
    repository,
    root,
    hasSettings: ports.files.exists(ports.settingsFile),
    plans: plans
      .toSorted((a, b) => Number(isFinished(a)) - Number(isFinished(b)) || newestFirst(a, b))
      .map((plan) => ({
        planPath: plan.planPath,
        stepsTotal: plan.stepsTotal,
        stepsCompleted: plan.stepsCompleted,
        stepsBlocked: plan.lanes.stopped,
        isToMerge: isFinished(plan) && unmerged.has(plan.planPath),
      })),
    unread,
    checklists: ports.plans.checklists().filter((path) => !known.has(path)),
    agents: agents.map(({ name, profile, containedBy, isDefault }) => ({
      name,
      profile,
      containedBy,
      isDefault,
    })),
    running: runs.map(nameOfRun),
    ...waiting,
  };
  return { ...seen, next: nextCommand({ ...seen, agent }) };
}

const isFinished = ({ stepsTotal, stepsCompleted }: Pick<PlanAtHome, "stepsTotal" | "stepsCompleted">) =>
  stepsCompleted === stepsTotal;

const newestFirst = (a: PlanGlance, b: PlanGlance): number => b.updatedAt.localeCompare(a.updatedAt);

const nameOfRun = ({ kind, planPath }: RunView): string => planPath ?? kind ?? "run";

/** Without a person none of its steps gets any further, also where a person has put one on hold. */
const isAtStandstill = ({ lanes }: PlanGlance): boolean =>
  lanes.stopped > 0 && lanes.ready + lanes.working + lanes.verifying === 0;

/** What cannot be diagnosed says so, and hides nothing else. */
async function waitingFor(
  ports: Ports,
  {
    atStandstill,
    mayBeForgotten,
  }: { readonly atStandstill: ReadonlySet<string>; readonly mayBeForgotten: boolean },
): Promise<Pick<HomeAnswer, "waiting" | "undiagnosed">> {
  const { diagnosis } = await loadDiagnosis();
  try {
    const forgotten = mayBeForgotten ? (await forgottenPlans(ports)).map(toReconcile) : [];
    const matters = mattersIn(await diagnosis(ports, {}));
    const waiting = matters.flatMap(({ found, findings: [one] }): readonly PersonalMatter[] => {
      const { kind, planPath, anchor } = one;
      const holdsUp = one.rule === "step-on-hold" && planPath !== null && atStandstill.has(planPath);
      if (one.weight !== "decide" && !holdsUp) return [];
      if (kind === "step" && planPath !== null && anchor !== null)
        return [{ found, command: `pawl explain ${shellWord(planPath)} ${shellWord(anchor)}` }];
      return [{ found, command: one.rule === "interrupted-session" ? "pawl resume" : "pawl recover" }];
    });
    return { waiting: [...forgotten, ...waiting], undiagnosed: null };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { waiting: [], undiagnosed: error.message };
  }
}

/** A run would be refused. */
const toReconcile = ({ message, details }: Failure): PersonalMatter => ({
  found: message,
  command: `pawl state reconcile ${shellWord(String(details["plan_path"]))}`,
});

/** Plans whose own branch has work that its base has not; the branches of their workers follow another branch of the plan. */
async function unmergedPlans(ports: Ports): Promise<ReadonlySet<string>> {
  const branches = await ports.branches();
  const known = await branches.planBranches();
  const names = new Set(known.map(({ name }) => name));
  const unmerged = new Set<string>();
  for (const { name, mark } of known)
    if (mark?.plan !== undefined && !names.has(mark.base) && !(await branches.landed(mark.base, name)))
      unmerged.add(mark.plan);
  return unmerged;
}

type Facts = Omit<HomeAnswer, "next" | "repository" | "undiagnosed"> & { readonly agent: string | null };

/** The first that applies: decide, watch, run, merge, set up, plan. */
export function nextCommand(facts: Facts): string {
  const { root, hasSettings, plans, unread, checklists, agents, running, waiting, agent } = facts;
  if (root === null) return "git worktree list";
  if (waiting[0]) return waiting[0].command;
  if (running.length > 0) return "pawl status --watch";
  const open = plans.find((plan) => !isFinished(plan));
  if (open) return runOf(open.planPath, { agent, agents });
  const toMerge = plans.find(({ isToMerge }) => isToMerge);
  if (toMerge) return `pawl worktree merge ${shellWord(toMerge.planPath)}`;
  if (!hasSettings) return "pawl init";
  if (unread[0] !== undefined) return runOf(unread[0], { agent, agents });
  if (checklists[0] !== undefined) return `pawl plan check ${shellWord(checklists[0])}`;
  return agents.length > 0 ? 'pawl plan new plan --from "What is to be built"' : "pawl plan new plan";
}

/** A run that starts as it is typed: it names an agent where the settings do not. */
function runOf(plan: string, { agent, agents }: Pick<Facts, "agent" | "agents">): string {
  const [first] = agents;
  const run = `pawl run ${shellWord(plan)}`;
  if (agent !== null) return run;
  return first === undefined ? `${run} -- ./my-agent` : `${run} --agent ${shellWord(first.name)}`;
}
