import { BRANCH_PREFIX, Failure, type Instant, LOCK_REASON, orNothing } from "../domain/index.ts";
import { openIfThere } from "../journal/index.ts";
import type {
  Branches,
  Changes,
  ListedWorktree,
  PlanBranch,
  Ports,
  Worktrees,
} from "../platform/ports/index.ts";
import { baseNames, commitAmong } from "../platform/index.ts";
import { type UnverifiedMergeView, unverifiedMerges } from "./merge/unverified-merges.ts";
import { NOBODY, type UseOf, worktreeUse, type WorktreeUse } from "./worktree-use.ts";

export interface WorktreeView {
  readonly worktreePath: string;
  readonly branchName: string | null;
  readonly head: string | null;
  readonly isMain: boolean;
  /** Made by Pawl for a plan. */
  readonly managed: boolean;
  readonly planPath: string | null;
  readonly baseBranch: string | null;
  /** Commits that the base does not have, and those of the base that it does not have. */
  readonly ahead: number | null;
  readonly behind: number | null;
  readonly dirtyFiles: number | null;
  readonly state: WorktreeUse["state"];
  readonly held: WorktreeUse["held"];
  readonly session: WorktreeUse["session"];
  readonly operation: string | null;
  readonly locked: boolean;
  readonly lockReason: string | null;
  readonly missing: boolean;
  readonly prunable: string | null;
  /** Why Pawl would not work in it, where git lists it but its files say otherwise. */
  readonly problem: string | null;
  readonly createdAt: Instant | null;
  /** When HEAD, the index or an uncommitted file last changed. */
  readonly lastActivityAt: Instant | null;
  readonly sizeBytes: number | null;
}

export interface ListAnswer {
  readonly worktrees: readonly WorktreeView[];
  /** Merges into bases that a person let through without the check, the newest first. */
  readonly unverifiedMerges: readonly UnverifiedMergeView[];
  /** Why nothing is known about claims and sessions. */
  readonly stateProblem: string | null;
}

/** More git processes at once than there are processors only wait for each other. */
const LANES = 8;

/** Every worktree of the repository, with who works there and what is unfinished. */
export async function listWorktrees(
  ports: Ports,
  { size = false }: { readonly size?: boolean | undefined },
): Promise<ListAnswer> {
  const [worktrees, branches] = await Promise.all([ports.worktrees(), ports.branches()]);
  const [listed, known, unverified, use] = await Promise.all([
    worktrees.list(),
    branches.planBranches(),
    openIfThere(ports)
      .then((database) => database?.read(unverifiedMerges))
      .catch(orNothing),
    worktreeUse(ports).catch((error: unknown) => {
      if (error instanceof Failure) return error;
      throw error;
    }),
  ]);
  const useOf: UseOf = use instanceof Failure ? () => NOBODY : use;
  const fallback = ports.settings.base_branch ?? listed.find(({ isMain }) => isMain)?.branch;
  const marks = new Map(known.map((one) => [one.name, one]));
  const bases = new Set(
    [...known.map(({ mark }) => mark?.base), fallback].filter((name) => name !== undefined),
  );
  const commits = await branches.commits([...bases].flatMap(baseNames));
  const around: Around = { ports, worktrees, branches, useOf, marks, fallback, commits, size };
  return {
    worktrees: await mapConcurrently(listed, LANES, (worktree) => viewOf(worktree, around)),
    unverifiedMerges: unverified ?? [],
    stateProblem: use instanceof Failure ? use.message : null,
  };
}

interface Around {
  readonly ports: Ports;
  readonly worktrees: Worktrees;
  readonly branches: Branches;
  readonly useOf: UseOf;
  readonly marks: ReadonlyMap<string, PlanBranch>;
  readonly fallback: string | undefined;
  readonly commits: ReadonlyMap<string, string>;
  readonly size: boolean;
}

async function viewOf(listed: ListedWorktree, around: Around): Promise<WorktreeView> {
  const { worktrees, useOf, marks, fallback, commits, size } = around;
  const mark = listed.branch === undefined ? undefined : marks.get(listed.branch)?.mark;
  const managed = !listed.isMain && isManaged(listed, mark !== undefined);
  // The branch of a merged plan may be gone while its workers' are there.
  const isBaseThere = mark !== undefined && commitAmong(commits, mark.base) !== undefined;
  const base = managed ? (isBaseThere ? mark.base : (fallback ?? mark?.base)) : undefined;
  const problem = problemOf(around.ports, listed);
  const isThere = !listed.isMissing && !listed.isBare && problem === undefined;
  const [changes, divergence] = await Promise.all([
    isThere ? worktrees.changes(listed) : undefined,
    divergenceOf(listed, base, around),
  ]);
  return {
    worktreePath: listed.path,
    branchName: listed.branch ?? null,
    head: listed.head ?? null,
    isMain: listed.isMain,
    managed,
    planPath: mark?.plan ?? null,
    baseBranch: base ?? null,
    ahead: divergence?.ahead ?? null,
    behind: divergence?.behind ?? null,
    dirtyFiles: changes?.files.length ?? null,
    ...useOf(listed),
    operation: listed.operation ?? null,
    locked: listed.lock !== undefined,
    lockReason: listed.lock ?? null,
    missing: listed.isMissing,
    prunable: listed.prunable ?? null,
    problem: problem ?? null,
    createdAt: listed.createdAt ?? null,
    lastActivityAt: newest(listed, changes),
    sizeBytes: size && isThere ? worktrees.bytes(listed) : null,
  };
}

/**
 * By its mark; one that lost its mark, as in a clone, is known by the name of its branch, and one in which a person
 * checked out a commit instead of the branch, by our lock.
 */
const isManaged = ({ branch, lock }: ListedWorktree, isMarked: boolean): boolean =>
  isMarked || branch?.startsWith(BRANCH_PREFIX) === true || lock === LOCK_REASON;

function problemOf({ repository }: Ports, { isMissing, isBare, path }: ListedWorktree): string | undefined {
  if (isMissing || isBare) return undefined;
  try {
    repository.worktree(path);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

function divergenceOf({ head }: ListedWorktree, base: string | undefined, { branches, commits }: Around) {
  if (head === undefined || base === undefined) return undefined;
  const commit = commitAmong(commits, base);
  return commit === undefined ? undefined : branches.divergence(commit, head);
}

function newest({ touchedAt }: ListedWorktree, changes: Changes | undefined): Instant | null {
  const times = [touchedAt, changes?.newestAt].filter((time) => time !== undefined);
  return times.toSorted().at(-1) ?? null;
}

/** Keeps the order, with at most so many at work at a time. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  lanes: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index]!);
  };
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, lane));
  return results;
}
