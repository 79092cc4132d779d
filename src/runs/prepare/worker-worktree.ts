import { BRANCH_PREFIX, Failure, MOST_WORKERS, scopeOf, workerNames } from "../../domain/index.ts";
import type { Interruption, Ports, Worktree } from "../../platform/ports/index.ts";
import { integrate, type Integration, otherPlanOf, planTip, whileSettled } from "../../commits/index.ts";
import {
  addUnprepared,
  type CreateRequest,
  type NewWorktree,
  prepareWorktree,
  saveAndRemove,
  worktreeTrouble,
  worktreeUse,
} from "../../worktrees/index.ts";
import { findCompletedBy } from "../../steps/index.ts";
import type { OpenedPlan } from "../../plans/index.ts";
import type { KnownFiles } from "../work/checkpoint.ts";
import { mergeApproval } from "../verify/base-verifier.ts";

/** Where a worker works. */
export interface WorkerWorktree {
  readonly worktree: Worktree;
  readonly branch: string | undefined;
  readonly warnings: readonly string[];
  /** What lies there, where it was just brought to where the plan is. */
  readonly known?: KnownFiles | undefined;
  /** What may still have to be set up there, by `setUpWorkerWorktree`. */
  readonly made?: NewWorktree | undefined;
}

export interface WorktreeSearch extends Pick<Integration, "branch"> {
  readonly except?: ReadonlySet<string>;
  /** The plan, where the caller has read it. */
  readonly opened?: OpenedPlan | undefined;
  readonly interruption: Interruption | undefined;
}

/**
 * A worktree for one more worker: the first that is not in use, made if it is not there.
 *
 * One in which a person has begun something else is left alone. The caller holds the plan's lock, or two runs that start
 * at once would choose the same one; so it is not set up yet.
 */
export async function findWorkerWorktree(
  ports: Ports,
  plan: string,
  { branch: integration, except, opened, interruption }: WorktreeSearch,
): Promise<WorkerWorktree> {
  const useOf = await worktreeUse(ports);
  const worktrees = await ports.worktrees();
  const listed = await worktrees.list();
  const warnings: string[] = [];
  const branches = await ports.branches();
  const { key } = ports.plans.locate(plan);
  const isOthers = (branch: string) => otherPlanOf(branches.marks(), branch, key) !== undefined;
  let unusable = 0;
  for (const name of workerNames(integration.slice(BRANCH_PREFIX.length))) {
    const branch = `${BRANCH_PREFIX}${name}`;
    if (except?.has(branch) || isOthers(branch)) continue;
    const path = worktrees.pathFor(name);
    const present = listed.find((one) => one.branch === branch) ?? listed.find((one) => one.path === path);
    const use = present && useOf(present);
    if (use?.state === "running" || use?.state === "held" || use?.waits) continue;
    const trouble = present && worktreeTrouble(present, branch);
    if (trouble) {
      warnings.push(`not used: ${trouble.says}; ${trouble.way}`);
      continue;
    }
    if (present === undefined && worktrees.occupantOf(path) === "something") {
      warnings.push(`not used: ${path} is not a git worktree; move it to use its name again`);
      continue;
    }
    try {
      const place = await makeWorktree(ports, plan, integration, { name, opened, interruption });
      return { ...place, warnings: [...warnings, ...place.warnings] };
    } catch (error) {
      // Another plan took the name after it was looked up: the next one is as good.
      if (isOthers(branch)) continue;
      unusable += 1;
      if (!isOnlyHere(error) || unusable > MOST_UNUSED) throw error;
      warnings.push(`not used: ${path}: ${error.message}`);
    }
  }
  throw new Failure("worktree/busy", `${MOST_WORKERS} workers already work on ${plan}.`, { plan_path: plan });
}

/** A worktree that cannot be made for a reason of its own leaves the next one to be tried; a few of them are no accident. */
const MOST_UNUSED = 5;

const NOT_HERE_ONLY: ReadonlySet<string> = new Set(["worktree/set-up-failed", "worktree/busy", "git/busy"]);

export const isOnlyHere = (error: unknown): error is Failure =>
  error instanceof Failure && scopeOf(error) !== "run" && !NOT_HERE_ONLY.has(error.problem);

/** A worktree by its branch, made again from it when the folder is gone, and not set up yet. */
export const worktreeForBranch = (
  ports: Ports,
  plan: string,
  integration: string,
  { branch, interruption }: { readonly branch: string; readonly interruption: Interruption | undefined },
): Promise<WorkerWorktree> =>
  makeWorktree(ports, plan, integration, { name: branch.slice(BRANCH_PREFIX.length), interruption });

async function makeWorktree(
  ports: Ports,
  plan: string,
  integration: string,
  more: Pick<CreateRequest, "name" | "opened" | "interruption">,
): Promise<WorkerWorktree> {
  const { answer, made } = await addUnprepared(ports, { plan, base: integration, ...more });
  return {
    worktree: ports.repository.worktree(answer.worktreePath),
    branch: answer.branchName,
    warnings: answer.warnings,
    made,
  };
}

/** Whether `setUpWorkerWorktree` still has something to do there. */
export const isSetUp = async (ports: Ports, { made }: WorkerWorktree): Promise<boolean> =>
  made === undefined || (await ports.worktrees()).state(made.worktree) === "ready";

/** Gives a place what it needs besides its files: that may take minutes, so no lock is held that other runs need. */
export async function setUpWorkerWorktree(
  ports: Ports,
  place: WorkerWorktree,
  interruption: Interruption | undefined,
): Promise<WorkerWorktree> {
  const { made } = place;
  if (made === undefined) return place;
  const warnings = [...place.warnings];
  const locks = await ports.locks();
  const isThere = await locks.during(made.branch, () =>
    prepareWorktree(ports, made, { warnings, interruption }),
  );
  if (isThere) return { ...place, warnings };
  const { path } = made.worktree;
  throw new Failure("worktree/busy", `${path} was removed before anything was begun there.`, {
    worktree_path: path,
  });
}

export interface RefreshRequest {
  readonly plan: string;
  readonly integration: string;
  readonly place: WorkerWorktree;
  /** The worker's. */
  readonly session: string;
  readonly interruption: Interruption;
  /** Called with what was put aside, and where it is. */
  readonly note: (text: string) => void;
}

/**
 * Brings a worker's worktree to where the plan is, for a new step.
 *
 * The commit of a completed step that the plan's branch does not have yet is brought there first. Anything else belongs
 * to no step that this worker holds, whether an agent committed it or not: it is saved, and the worktree is made anew. What
 * its set-up or a hook changes there then is as the user wants it.
 */
export const refreshWorktree = async (ports: Ports, request: RefreshRequest): Promise<WorkerWorktree> =>
  request.place.branch === undefined
    ? request.place
    : ((await bringForward(ports, request)) ?? remake(ports, request));

/** Undefined where it is not at the plan, and cannot be moved there. */
async function bringForward(
  ports: Ports,
  { plan: operand, integration, place, note, interruption }: RefreshRequest,
): Promise<WorkerWorktree | undefined> {
  const plan = ports.plans.locate(operand).key;
  const [commits, worktrees] = await Promise.all([ports.commits(), ports.worktrees()]);
  const { worktree } = place;
  const branch = place.branch!;
  // A move that a kill cut off right after the branch was there leaves its lock, and nothing else would differ.
  await worktrees.finishForward(worktree);
  const settledTip = () =>
    whileSettled(ports, integration, () => planTip(ports, { plan, branch: integration }));
  const head = await commits.head(worktree);
  const [isWhole, tip] = await Promise.all([
    head !== undefined && commits.isAt(worktree, head),
    settledTip(),
  ]);
  if (head === undefined || !isWhole) return undefined;
  const isThere =
    head === tip ||
    ((await isIn(ports, { plan, integration, head, branch, note, tip, interruption })) &&
      (await worktrees.fastForward(worktree, { to: await settledTip(), isKept: true })));
  return isThere ? { ...place, known: await commits.checkedOut(worktree) } : undefined;
}

/** What was committed there cannot become part of the plan's branch; it is kept, and the worktree is made anew. */
const NOT_JOINED: ReadonlySet<string> = new Set(["merge/conflicts", "merge/unrelated", "sync/rejected"]);

interface Head {
  readonly plan: string;
  readonly integration: string;
  readonly head: string;
  readonly tip: string;
  readonly branch: string;
  readonly note: (text: string) => void;
  readonly interruption: Interruption;
}

/**
 * Whether the plan's branch has what the worktree has committed, by now at the latest.
 *
 * Agents commit half of their work, and work that no check has passed. Of a step that was blocked, or that others have
 * taken over, none of that may land: only what a step was completed with.
 */
async function isIn(
  ports: Ports,
  { plan, integration, head, tip, branch, note, interruption }: Head,
): Promise<boolean> {
  const branches = await ports.branches();
  if ((await branches.mergeBase(tip, head)) === head) return true;
  const database = await ports.database();
  const step = await database.read((sql) => sql.get(findCompletedBy, { plan_path: plan, commit_hash: head }));
  if (step === undefined) return false;
  try {
    const landing = { plan, branch: integration, commit: head, from: branch };
    await integrate(ports, landing, mergeApproval(ports, { interruption }));
    return true;
  } catch (error) {
    if (!(error instanceof Failure) || !NOT_JOINED.has(error.problem)) throw error;
    note(error.message);
    return false;
  }
}

async function remake(
  ports: Ports,
  { plan, integration, place, session, interruption, note }: RefreshRequest,
): Promise<WorkerWorktree> {
  const [worktrees, locks] = await Promise.all([ports.worktrees(), ports.locks()]);
  const listed = (await worktrees.list()).find(({ path }) => path === place.worktree.path);
  if (listed) {
    const because = "a worker continues with another step";
    const { saved } = await locks.during(place.branch!, () =>
      saveAndRemove(ports, listed, { deleteBranch: true, because, ownSession: session }),
    );
    for (const { what, bringBack } of saved) note(`${what} put aside; restore with: ${bringBack}`);
  }
  const remade = await worktreeForBranch(ports, plan, integration, { branch: place.branch!, interruption });
  return setUpWorkerWorktree(ports, remade, interruption);
}
