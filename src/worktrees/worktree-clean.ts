import { BRANCH_PREFIX, Failure, fromInstant } from "../domain/index.ts";
import type { Landing, Ports } from "../platform/ports/index.ts";
import { baseNames, commitAmong } from "../platform/index.ts";
import { type Saved, removedBefore } from "./saved.ts";
import {
  filesLost,
  reasonToStay,
  saveAndRemove,
  type RemovedWorktree,
  deleteSaved,
  keepBranch,
} from "./remove/remove-worktree.ts";
import { mapConcurrently, listWorktrees, type WorktreeView } from "./worktree-list.ts";
import { worktreeUse } from "./worktree-use.ts";

const CLEAN_FILTERS = ["interrupted", "merged", "orphaned", "older-than"] as const;
export type CleanFilter = (typeof CLEAN_FILTERS)[number];

export interface CleanRequest {
  readonly interrupted?: boolean | undefined;
  readonly merged?: boolean | undefined;
  readonly orphaned?: boolean | undefined;
  readonly olderThanMs?: number | undefined;
  readonly deleteBranch?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
}

export interface CleanAnswer {
  readonly dryRun: boolean;
  /** Empty when no filter was given; then nothing is removed. */
  readonly filters: readonly CleanFilter[];
  readonly removed: readonly Cleaned[];
  /** Worktrees that a filter chose and that must stay, each with the reason. */
  readonly kept: readonly { readonly worktreePath: string; readonly reason: string }[];
  /** What each filter would choose, when none was given. */
  readonly choices: Readonly<Partial<Record<CleanFilter, readonly string[]>>>;
}

export interface Cleaned {
  readonly worktreePath: string;
  readonly branchName: string | null;
  readonly because: string;
  readonly dirtyFiles: number;
  /** Files that git ignores, which go with it and are not saved. */
  readonly ignoredFiles: number;
  readonly branchDeleted: boolean;
  /** As in `RemovedWorktree`. */
  readonly claimedMeanwhile: RemovedWorktree["claimedMeanwhile"];
  /** In a dry run empty: `dirtyFiles` and `ahead` say what would be saved. */
  readonly saved: readonly Saved[];
  readonly ahead: number;
}

const LANES = 4;

/** Takes down the worktrees of plans that every given filter chooses. Without a filter it only says what they would choose. */
export async function cleanWorktrees(ports: Ports, request: CleanRequest): Promise<CleanAnswer> {
  const filters = filtersOf(request);
  const dryRun = request.dryRun ?? false;
  const { worktrees: views, stateProblem } = await listWorktrees(ports, {});
  // Who holds what is not known, so nothing may go.
  if (stateProblem !== null && filters.length > 0) throw new Failure("store/open-failed", stateProblem);
  const managed = views.filter((view) => view.managed && !view.isMain);
  const judged = await mapConcurrently(managed, LANES, async (view) => ({
    view,
    reasons: await reasonsFor(ports, view, request),
  }));
  if (filters.length === 0)
    return { dryRun: true, filters, removed: [], kept: [], choices: choicesOf(judged) };
  const chosen = judged.filter(({ reasons }) => filters.every((filter) => reasons.has(filter)));
  const removed: Cleaned[] = [];
  const kept: { worktreePath: string; reason: string }[] = [];
  for (const { view, reasons } of chosen) {
    const because = filters.map((filter) => reasons.get(filter)).join(", ");
    try {
      removed.push(await cleanOne(ports, view, because, request));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      kept.push({ worktreePath: view.worktreePath, reason: error.message });
    }
  }
  if (request.deleteBranch && !dryRun) removed.push(...(await finishEarlier(ports)));
  return { dryRun, filters, removed, kept, choices: {} };
}

/** Branches that were to go with their worktree, when a call died between the two. */
async function finishEarlier(ports: Ports): Promise<readonly Cleaned[]> {
  const [worktrees, branches, locks] = await Promise.all([
    ports.worktrees(),
    ports.branches(),
    ports.locks(),
  ]);
  const finished: Cleaned[] = [];
  for (const { name, mark } of await branches.planBranches()) {
    const worktreePath = worktrees.pathFor(name.slice(BRANCH_PREFIX.length));
    const isToGo = async () =>
      !(await worktrees.list()).some(({ branch }) => branch === name) &&
      (await removedBefore(ports, worktreePath))?.branchToGo === name;
    if (mark === undefined || !(await isToGo())) continue;
    await locks.during(name, async () => {
      if (!(await isToGo())) return;
      const saved = await keepBranch(ports, name);
      const branchDeleted = await deleteSaved(ports, name);
      const because = "an earlier call had removed the worktree";
      const facts = { worktreePath, branchName: name, because, dirtyFiles: 0, ignoredFiles: 0, ahead: 0 };
      finished.push({ ...facts, branchDeleted, saved, claimedMeanwhile: [] });
    });
  }
  return finished;
}

const filtersOf = (request: CleanRequest): readonly CleanFilter[] =>
  CLEAN_FILTERS.filter((filter) =>
    filter === "older-than" ? request.olderThanMs !== undefined : request[filter] === true,
  );

type Reasons = ReadonlyMap<CleanFilter, string>;

/** Which filters a worktree fits, with the words for it. Costly ones are asked only when they are wanted. */
async function reasonsFor(ports: Ports, view: WorktreeView, request: CleanRequest): Promise<Reasons> {
  const reasons = new Map<CleanFilter, string>();
  const isWanted = (filter: CleanFilter) =>
    filtersOf(request).length === 0 || filtersOf(request).includes(filter);
  if (view.state === "interrupted") {
    reasons.set("interrupted", `session ${view.session!.id} was interrupted`);
  }
  const landing = isWanted("merged") ? await landingOf(ports, view) : undefined;
  if (landing !== undefined)
    reasons.set("merged", `${view.branchName} is ${landing} into ${view.baseBranch}`);
  const orphaned = orphanedBy(ports, view);
  if (orphaned !== undefined) reasons.set("orphaned", orphaned);
  const limitMs = request.olderThanMs ?? DEFAULT_AGE_MS;
  const last = view.lastActivityAt;
  if (last !== null && ports.clock.wallMs() - fromInstant(last) > limitMs) {
    reasons.set("older-than", `nothing happened there since ${last}`);
  }
  return reasons;
}

/** For the overview without filters. */
const DEFAULT_AGE_MS = 14 * 24 * 3600 * 1000;

/** A branch that is still where it started has nothing that could be merged; it is new, not done. */
async function landingOf(ports: Ports, view: WorktreeView): Promise<Landing | undefined> {
  if (view.branchName === null || view.baseBranch === null) return undefined;
  const branches = await ports.branches();
  const ref = `refs/heads/${view.branchName}`;
  const commits = await branches.commits([ref, ...baseNames(view.baseBranch)]);
  const tip = commits.get(ref);
  const baseTip = commitAmong(commits, view.baseBranch);
  const mark = (await branches.planBranches()).find(({ name }) => name === view.branchName)?.mark;
  if (tip === undefined || baseTip === undefined || mark === undefined || mark.start === tip)
    return undefined;
  return branches.landed(baseTip, tip);
}

function orphanedBy({ plans }: Ports, view: WorktreeView): string | undefined {
  if (view.missing) return "its folder is gone";
  if (view.planPath !== null && !plans.existsAnywhere(view.planPath))
    return `the plan ${view.planPath} is gone`;
  return undefined;
}

function choicesOf(judged: readonly { readonly view: WorktreeView; readonly reasons: Reasons }[]) {
  const entries = CLEAN_FILTERS.map((filter) => [
    filter,
    judged.filter(({ reasons }) => reasons.has(filter)).map(({ view }) => view.worktreePath),
  ]);
  return Object.fromEntries(entries) as CleanAnswer["choices"];
}

async function cleanOne(
  ports: Ports,
  view: WorktreeView,
  because: string,
  { dryRun = false, deleteBranch = false }: CleanRequest,
): Promise<Cleaned> {
  const [worktrees, locks] = await Promise.all([ports.worktrees(), ports.locks()]);
  const facts = {
    worktreePath: view.worktreePath,
    branchName: view.branchName,
    because,
    dirtyFiles: view.dirtyFiles ?? 0,
    ahead: view.ahead ?? 0,
    claimedMeanwhile: [],
  };
  return locks.during(view.branchName ?? view.worktreePath, async () => {
    const listed = await worktrees.list();
    const worktree = listed.find(({ path }) => path === view.worktreePath);
    if (worktree === undefined) return { ...facts, ignoredFiles: 0, branchDeleted: false, saved: [] };
    const reason = reasonToStay(worktree, listed, await worktreeUse(ports));
    if (reason !== undefined) throw reason;
    if (dryRun) {
      const ignoredFiles = await filesLost(ports, worktree);
      return { ...facts, ignoredFiles, branchDeleted: deleteBranch, saved: [] };
    }
    const taken = await saveAndRemove(ports, worktree, { deleteBranch, because });
    const { branchDeleted, ignoredFiles, saved, claimedMeanwhile } = taken;
    return { ...facts, ignoredFiles, branchDeleted, saved, claimedMeanwhile };
  });
}
