import { Failure, flatten, SPEC_BRANCH_PREFIX } from "../../domain/index.ts";
import type { Ports, TugstatePlan, TugstateStep } from "../../platform/ports/index.ts";
import { findPlan, listSteps, planPathFromHere, readPlan } from "../../plans/index.ts";
import { openIfThere } from "../../journal/index.ts";

/** What another tool left in a repository that Pawl can continue. */
export interface Importable {
  readonly progress: readonly FoundProgress[];
  readonly worktrees: readonly FoundWorktree[];
}

/** How far another tool says a plan is. */
export interface FoundProgress {
  readonly tool: "Tugstate" | "Claude task files" | "Auto-Claude";
  /** Where it says so, under the repository. */
  readonly source: string;
  /** Null where the source itself cannot be read. */
  readonly planPath: string | null;
  readonly steps: number;
  readonly completed: number;
  /** Why nothing can be imported from it. */
  readonly problem: string | null;
  /** Completed steps that are not completed in Pawl. */
  readonly toImport: number;
}

/** A worktree that another tool made for a piece of work. */
export interface FoundWorktree {
  readonly path: string;
  readonly branch: string;
  /** Commits that the main checkout's branch does not have; null where that is not known. */
  readonly commits: number | null;
  readonly uncommittedFiles: number;
}

export const TUGSTATE = ".tugtool/state.db";
const TASKS = ".claude/tasks";
const SPECS = ".auto-claude/specs/";
const SPEC_FILE = "implementation_plan.json";

/** Looks for what other tools left. Changes nothing, and what cannot be read is reported. */
export async function findImportable(
  ports: Ports,
  { plan }: { readonly plan?: string | undefined },
): Promise<Importable> {
  const only = plan === undefined ? undefined : ports.plans.locate(plan).key;
  const isWanted = ({ planPath }: FoundProgress) => only === undefined || planPath === only;
  const found = [
    ...(await ofTugstate(ports)),
    ...(await ofFiles(ports, only === undefined ? ports.plans.search() : [only])),
  ];
  return {
    progress: found.filter(isWanted),
    worktrees: only === undefined ? await otherWorktrees(ports) : [],
  };
}

/** Undefined where Tugstate was never used. */
export async function tugstatePlans(ports: Ports): Promise<readonly TugstatePlan[] | undefined> {
  const top = ports.repository.mainTopLevel;
  return top === undefined ? undefined : (await ports.tugstate())(`${top}/${TUGSTATE}`);
}

async function ofTugstate(ports: Ports): Promise<readonly FoundProgress[]> {
  const about = { tool: "Tugstate", source: TUGSTATE } as const;
  try {
    const found: FoundProgress[] = [];
    for (const { planPath, steps } of (await tugstatePlans(ports)) ?? []) {
      const top = steps.filter(({ isSubstep }) => !isSubstep);
      found.push({
        ...about,
        planPath,
        steps: top.length,
        completed: top.filter(isCompleted).length,
        problem: ports.plans.find(planPath).path === undefined ? "its file is gone" : null,
        toImport: notIn(await completedHere(ports, planPath), top),
      });
    }
    return found;
  } catch (error) {
    return [{ ...about, ...UNREADABLE, problem: refusalOf(error) }];
  }
}

const isCompleted = (step: TugstateStep): boolean => step.isCompleted;

const notIn = (here: ReadonlySet<string> | undefined, steps: readonly TugstateStep[]): number =>
  steps.filter((step) => step.isCompleted && !here?.has(step.anchor)).length;

const UNREADABLE = { planPath: null, steps: 0, completed: 0, toImport: 0 } as const;

/** Plans whose own files say how far they are: reading such a plan imports it. */
async function ofFiles(ports: Ports, plans: readonly string[]): Promise<readonly FoundProgress[]> {
  const found: FoundProgress[] = [];
  for (const planPath of plans) {
    const tool = planPath === TASKS ? "Claude task files" : "Auto-Claude";
    if (planPath !== TASKS && !hasPlan(ports, planPath)) continue;
    const about = { tool, source: planPath, planPath } as const;
    try {
      const { plan } = await readPlan(ports, planPathFromHere(ports, planPath));
      const top = flatten(plan).filter(({ parent }) => parent === undefined);
      const completed = top.filter(({ step }) => step.progress?.status === "completed").length;
      const toImport = (await completedHere(ports, planPath)) === undefined ? completed : 0;
      found.push({ ...about, steps: top.length, completed, problem: null, toImport });
    } catch (error) {
      found.push({ ...about, ...UNREADABLE, planPath, problem: refusalOf(error) });
    }
  }
  return found;
}

/** A spec of Auto-Claude may have no plan yet. */
const hasPlan = ({ plans, files }: Ports, planPath: string): boolean => {
  const { path } = plans.find(planPath);
  return planPath.startsWith(SPECS) && path !== undefined && files.exists(`${path}/${SPEC_FILE}`);
};

/** Only refusals: a defect is no property of what was found. */
export function refusalOf(error: unknown): string {
  if (error instanceof Failure) return error.message;
  throw error;
}

/** The completed steps of a plan; undefined where it has no state. */
async function completedHere(ports: Ports, plan_path: string): Promise<ReadonlySet<string> | undefined> {
  const database = await openIfThere(ports);
  return database?.read(async (sql) => {
    if ((await sql.get(findPlan, { plan_path })) === undefined) return undefined;
    const steps = await sql.all(listSteps, { plan_path });
    return new Set(steps.filter(({ status }) => status === "completed").map(({ anchor }) => anchor));
  });
}

/** Worktrees on branches that Auto-Claude names: `pawl run` offers to continue such a build. */
async function otherWorktrees(ports: Ports): Promise<readonly FoundWorktree[]> {
  const worktrees = await ports.worktrees();
  const listed = await worktrees.list();
  const main = listed.find(({ isMain }) => isMain)?.head;
  const branches = await ports.branches();
  const found: FoundWorktree[] = [];
  for (const { path, branch, isMissing, isMain } of listed) {
    if (isMain || isMissing || !branch?.startsWith(SPEC_BRANCH_PREFIX)) continue;
    const { files } = await worktrees.changes(ports.repository.worktree(path));
    const ahead = main === undefined ? null : (await branches.divergence(main, `refs/heads/${branch}`)).ahead;
    found.push({ path, branch, commits: ahead, uncommittedFiles: files.length });
  }
  return found;
}
