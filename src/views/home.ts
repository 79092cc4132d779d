import {
  agentOption,
  Failure,
  freePlanName,
  INTERRUPTED_BY,
  sessionName,
  shellWord,
} from "../domain/index.ts";
import { baseCommit } from "../platform/index.ts";
import type { Branches, BranchMark, Ports } from "../platform/ports/index.ts";
import { forgottenPlans } from "../plans/index.ts";
import { type FindingView, loadDiagnosis, mattersIn } from "../recovery/index.ts";
import { loadMergeApproval } from "../runs/index.ts";
import { loadSessionView } from "../sessions/index.ts";
import { installedAgents, type InstalledAgent } from "./installed-agents.ts";
import { overview, type PlanOverview } from "./overview.ts";
import { listRuns, type RunView } from "./runs.ts";

export interface PlanAtHome {
  readonly planPath: string;
  readonly stepsTotal: number;
  readonly stepsCompleted: number;
  /** Of a session that was cut off. */
  readonly stepsInterrupted: number;
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
    listRuns(ports, {}),
    waitingFor(ports, {
      atStandstill: new Set(plans.filter(isAtStandstill).map(({ planPath }) => planPath)),
      mayBeForgotten: unread.length > 0,
    }),
    unmergedPlans(ports, new Set(plans.filter(isFinished).map(({ planPath }) => planPath))),
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
        stepsInterrupted: plan.stepsInterrupted,
        stepsBlocked: plan.stepsBlocked,
        isToMerge: unmerged.has(plan.planPath),
      })),
    unread,
    checklists: ports.plans.checklists().filter((path) => !known.has(path)),
    agents: agents.map(({ name, profile, containedBy, isDefault }) => ({
      name,
      profile,
      containedBy,
      isDefault,
    })),
    running: runs
      .filter((run) => run.status === "in_progress" && stoppedIn(run) === undefined)
      .map(nameOfRun),
    undiagnosed: waiting.undiagnosed,
    waiting: [
      ...runs.flatMap((run) => runMatters(ports, run)),
      ...waiting.waiting,
      ...[...unmerged.values()].flat(),
    ],
  };
  const usedLast = agent === null ? await lastAgent(ports, runs[0]) : null;
  const folders = [root ?? "", ports.caller.folder];
  const newPlan = freePlanName(
    (name) => known.has(`${name}.md`) || folders.some((folder) => ports.files.exists(`${folder}/${name}.md`)),
  );
  const facts = { ...seen, agent, usedLast, newPlan };
  // A run that is at work takes them over at its next claim.
  const toTakeOver = waiting.newer.flatMap(({ found, planPath }) =>
    planPath === null || seen.running.includes(planPath) ? [] : [{ found, command: runOf(planPath, facts) }],
  );
  const all = [...seen.waiting, ...toTakeOver];
  return { ...seen, waiting: all, next: nextCommand({ ...facts, waiting: all }) };
}

const stoppedIn = ({ sessions }: RunView) => sessions.find(({ stopped }) => stopped !== null);

/** A run that only a person continues: its process is stopped, or gone. */
function runMatters({ files }: Ports, run: RunView): readonly PersonalMatter[] {
  const stopped = stoppedIn(run);
  if (stopped)
    return [{ found: `${nameOfRun(run)}: ${stopped.stopped}.`, command: `kill -CONT ${stopped.pid}` }];
  const { runId, resumeWith, here, interruptionType, pausedUntil, sessions } = run;
  if (resumeWith === null || !here || !sessions.some(({ worktree }) => files.exists(worktree))) return [];
  const until = pausedUntil === null ? "" : `; its limit resets at ${pausedUntil}`;
  const by = INTERRUPTED_BY[interruptionType ?? "unknown"];
  return [
    {
      found: `${nameOfRun(run)}: ${sessionName(sessions.length > 1 ? runId : sessions[0]!.id)} was interrupted ${by}${until}.`,
      command: resumeWith,
    },
  ];
}

/** The agent of this run, as an option of the next one. */
async function lastAgent(ports: Ports, run: RunView | undefined): Promise<string | null> {
  const [session] = run?.sessions ?? [];
  if (session === undefined) return null;
  const { showSession } = await loadSessionView();
  const { configuration } = await showSession(ports, { id: session.id, most: 1 });
  return agentOption(session.agent, configuration?.["argv"] as readonly string[] | undefined);
}

const isFinished = ({ stepsTotal, stepsCompleted }: Pick<PlanAtHome, "stepsTotal" | "stepsCompleted">) =>
  stepsCompleted === stepsTotal;

const newestFirst = (a: PlanOverview, b: PlanOverview): number => b.updatedAt.localeCompare(a.updatedAt);

const nameOfRun = ({ kind, planPath }: RunView): string => planPath ?? kind ?? "run";

/** Without a person none of its steps gets any further, also where a person has put one on hold. */
const isAtStandstill = ({ lanes }: PlanOverview): boolean =>
  lanes.stopped > 0 && lanes.ready + lanes.working + lanes.verifying === 0;

/** What cannot be diagnosed says so, and hides nothing else. */
async function waitingFor(
  ports: Ports,
  {
    atStandstill,
    mayBeForgotten,
  }: { readonly atStandstill: ReadonlySet<string>; readonly mayBeForgotten: boolean },
): Promise<Pick<HomeAnswer, "waiting" | "undiagnosed"> & { readonly newer: readonly FindingView[] }> {
  const { diagnosis } = await loadDiagnosis();
  try {
    const forgotten = mayBeForgotten ? (await forgottenPlans(ports)).map(toReconcile) : [];
    const matters = mattersIn(await diagnosis(ports, {}));
    const waiting = matters.flatMap(({ found, findings: [one] }): readonly PersonalMatter[] => {
      const { kind, planPath, anchor } = one;
      const holdsUp = one.rule === "step-on-hold" && planPath !== null && atStandstill.has(planPath);
      // Which runs can be resumed, the runs themselves say, also where their end is not on record yet.
      if (one.rule === "interrupted-session" || (one.weight !== "decide" && !holdsUp)) return [];
      if (kind === "step" && planPath !== null && anchor !== null)
        return [{ found, command: `pawl explain ${shellWord(planPath)} ${shellWord(anchor)}` }];
      return [{ found, command: "pawl recover" }];
    });
    const newer = matters.flatMap(({ findings }) => findings.filter(({ rule }) => rule === "plan-newer"));
    return { waiting: [...forgotten, ...waiting], newer, undiagnosed: null };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { waiting: [], newer: [], undiagnosed: error.message };
  }
}

/** A run would be refused. */
const toReconcile = ({ message, details }: Failure): PersonalMatter => ({
  found: message,
  command: `pawl state reconcile ${shellWord(String(details["plan_path"]))}`,
});

/**
 * Of the finished plans, those whose own branch has work that its base has not, with the conflict that a person
 * has to solve first; the branches of their workers follow another branch of the plan. Where that one is gone, the base of the settings
 * or the branch here says whether their work was merged.
 */
async function unmergedPlans(
  ports: Ports,
  finished: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly PersonalMatter[]>> {
  const unmerged = new Map<string, readonly PersonalMatter[]>();
  if (finished.size === 0) return unmerged;
  const branches = await ports.branches();
  const known = await branches.planBranches();
  const names = new Set(known.map(({ name }) => name));
  for (const { name, commit, mark } of known) {
    if (mark === undefined || !finished.has(mark.plan) || names.has(mark.base)) continue;
    const base = (await baseCommit(branches, mark.base)) ?? (await otherBase(ports, branches));
    if (base === undefined || (await branches.landed(base, commit))) continue;
    const preview = await branches.preview(base, commit);
    const matter =
      preview.kind === "conflicts"
        ? toSolve(name, mark, preview.files)
        : await failingTogether(ports, { name, commit, base, mark });
    unmerged.set(mark.plan, matter === undefined ? [] : [matter]);
  }
  return unmerged;
}

/** A merge that was refused because the check fails on both would be refused again. */
async function failingTogether(
  ports: Ports,
  branch: {
    readonly name: string;
    readonly commit: string;
    readonly base: string;
    readonly mark: BranchMark;
  },
): Promise<PersonalMatter | undefined> {
  if (ports.settings.tables?.verify === undefined) return undefined;
  const branches = await ports.branches();
  const { name, commit, base, mark } = branch;
  const merged = await branches.mergedTree(base, commit);
  if (merged.kind !== "clean") return undefined;
  const { baseVerifier } = await loadMergeApproval();
  const candidate = { tree: merged.tree, branch: name, base: mark.base, from: base, plan: mark.plan };
  const { outcome, known, check } = await baseVerifier(ports, { kind: "merge" }).look(candidate);
  if (outcome !== "pending" || !known) return undefined;
  return {
    found: `${check} failed on ${name} and ${mark.base} together: merge ${mark.base} in the worktree of ${name}, change what is needed so that it passes, and commit.`,
    command: `pawl worktree create ${shellWord(mark.plan)}`,
  };
}

const toSolve = (branch: string, { plan, base }: BranchMark, files: readonly string[]): PersonalMatter => ({
  found: `${branch} and ${base} changed the same lines of ${files.join(", ") || "some files"}: merge ${base} in the worktree of ${branch}, resolve the conflicts and commit.`,
  command: `pawl worktree create ${shellWord(plan)}`,
});

async function otherBase({ settings }: Ports, branches: Branches): Promise<string | undefined> {
  const name = settings.base_branch ?? (await branches.current());
  return name === undefined ? undefined : baseCommit(branches, name);
}

type Facts = Omit<HomeAnswer, "next" | "repository" | "undiagnosed"> & {
  readonly agent: string | null;
  /** The agent of the last run, as an option: `--agent codex`. */
  readonly usedLast: string | null;
  /** A name for a new plan that no file has. */
  readonly newPlan: string;
};

/** The first that applies: decide, watch, run, merge, set up, plan. */
export function nextCommand(facts: Facts): string {
  const { root, hasSettings, plans, unread, checklists, agents, running, waiting, newPlan } = facts;
  if (root === null) return "git worktree list";
  if (waiting[0]) return waiting[0].command;
  if (running.length > 0) return "pawl status --watch";
  const open = plans.find((plan) => !isFinished(plan));
  if (open) return runOf(open.planPath, facts);
  const toMerge = plans.find(({ isToMerge }) => isToMerge);
  if (toMerge) return `pawl worktree merge ${shellWord(toMerge.planPath)}`;
  if (!hasSettings) return "pawl init";
  if (unread[0] !== undefined) return runOf(unread[0], facts);
  if (checklists[0] !== undefined) return `pawl plan check ${shellWord(checklists[0])}`;
  return agents.length > 0
    ? `pawl plan new ${newPlan} --from "What is to be built"`
    : `pawl plan new ${newPlan}`;
}

/** A run that starts as it is typed: it names an agent where the settings do not. */
function runOf(plan: string, { agent, usedLast, agents: [first] }: Facts): string {
  const run = `pawl run ${shellWord(plan)}`;
  if (agent !== null) return run;
  return `${run} ${usedLast ?? `--agent ${first === undefined ? "NAME" : shellWord(first.name)}`}`;
}
