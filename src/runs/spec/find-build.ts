import { BRANCH_PREFIX, type Instant, SPEC_BRANCH_PREFIX } from "../../domain/index.ts";
import type { ListedWorktree, PlanBranch, Ports } from "../../platform/ports/index.ts";
import { baseCommit } from "../../platform/index.ts";
import { chooseBase } from "../../commits/index.ts";
import { worktreeUse } from "../../worktrees/index.ts";
import type { Spec } from "../../plans/index.ts";

/** Work on a spec that was begun and has not come to its base yet. */
export interface FoundBuild {
  /** Whether Pawl made it, or a tool whose layout Pawl knows. */
  readonly madeBy: "pawl" | "another tool";
  readonly branch: string;
  readonly base: string;
  /** What the base was when the build was found; where it is gone, what the build started from. */
  readonly baseCommit: string;
  /** Where the branch is checked out; of Pawl's workers, the first. Null when nowhere. */
  readonly worktree: string | null;
  /** Commits that the base does not have. */
  readonly commits: number;
  readonly uncommittedFiles: readonly string[];
  readonly lastActivityAt: Instant | null;
}

/** Where other tools put the worktree of a spec, under the main checkout. The first one serves all specs in turn. */
const LAYOUTS: readonly ((spec: string) => string)[] = [
  () => ".worktrees/auto-claude",
  (spec) => `.worktrees/${spec}`,
  (spec) => `.auto-claude/worktrees/tasks/${spec}`,
];

/**
 * The build of a spec that is there already, in any of the layouts that are known.
 *
 * Git says what is a worktree, not the file system: a plain folder of that name would silently be the main checkout.
 * Undefined when there is none, when all of it is in its base, or while it is in use.
 */
export async function findBuild(ports: Ports, spec: Spec): Promise<FoundBuild | undefined> {
  const [worktrees, branches] = await Promise.all([ports.worktrees(), ports.branches()]);
  const [listed, known, useOf] = await Promise.all([
    worktrees.list(),
    branches.planBranches(),
    worktreeUse(ports),
  ]);
  const present = listed.filter(({ isMain, isMissing, isBare }) => !isMain && !isMissing && !isBare);
  const own = ownBranches(known, spec);
  const ownPlaces = present.filter(({ branch }) => own.some(({ name }) => name === branch));
  const foreign = foreignPlace(ports, present, spec);
  // A worker that uses it right now did not leave it behind.
  if ([...ownPlaces, ...(foreign ? [foreign] : [])].some((one) => useOf(one).state === "running"))
    return undefined;
  const [first] = own;
  const mine =
    first && (await describe(ports, { madeBy: "pawl", branch: first.name, mark: first.mark }, ownPlaces));
  if (mine) return mine;
  const branch = foreign?.branch ?? `${SPEC_BRANCH_PREFIX}${spec.name}`;
  const ref = `refs/heads/${branch}`;
  if (!(await branches.commits([ref])).has(ref)) return undefined;
  return describe(ports, { madeBy: "another tool", branch, mark: undefined }, foreign ? [foreign] : []);
}

/** The plan's own branch first, then those of its workers. */
const ownBranches = (known: readonly PlanBranch[], { key }: Spec): readonly PlanBranch[] => {
  const own = known.filter(({ mark }) => mark?.plan === key);
  const names = new Set(own.map(({ name }) => name));
  return own.toSorted((a, b) => Number(names.has(a.mark!.base)) - Number(names.has(b.mark!.base)));
};

/** A worktree that stands where one of this spec would, unless its branch says that it is another spec's. */
function foreignPlace(
  { repository }: Ports,
  present: readonly ListedWorktree[],
  { name }: Spec,
): ListedWorktree | undefined {
  const root = repository.mainTopLevel;
  const byBranch = present.find(({ branch }) => branch === `${SPEC_BRANCH_PREFIX}${name}`);
  if (byBranch || root === undefined) return byBranch;
  const places = new Set(LAYOUTS.map((layout) => `${root}/${layout(name)}`));
  return present.find(
    ({ path, branch }) =>
      places.has(path) &&
      branch !== undefined &&
      !branch.startsWith(SPEC_BRANCH_PREFIX) &&
      !branch.startsWith(BRANCH_PREFIX),
  );
}

async function describe(
  ports: Ports,
  { madeBy, branch, mark }: Pick<FoundBuild, "madeBy" | "branch"> & Pick<PlanBranch, "mark">,
  places: readonly ListedWorktree[],
): Promise<FoundBuild | undefined> {
  const [worktrees, branches] = await Promise.all([ports.worktrees(), ports.branches()]);
  const base =
    mark === undefined
      ? await chooseBase(ports, undefined, await worktrees.list())
      : { name: mark.base, commit: (await baseCommit(branches, mark.base)) ?? mark.start };
  const ref = `refs/heads/${branch}`;
  const isThere = (await branches.commits([ref])).has(ref);
  const { ahead } = isThere ? await branches.divergence(base.commit, ref) : { ahead: 0 };
  const isIn = ahead === 0 || (await branches.landed(base.commit, ref)) !== undefined;
  const uncommittedFiles: string[] = [];
  const times: string[] = [];
  for (const place of places) {
    const { files, newestAt } = await worktrees.changes(ports.repository.worktree(place.path));
    uncommittedFiles.push(...files);
    times.push(...[newestAt, place.touchedAt].filter((time) => time !== undefined));
  }
  // A worktree of another tool is a build by being there; one of Pawl's is made with the first look at a plan.
  const isUntouched = isIn && uncommittedFiles.length === 0;
  if (isUntouched && (madeBy === "pawl" || places.length === 0)) return undefined;
  if (isUntouched && ahead > 0) return undefined;
  return {
    madeBy,
    branch,
    base: base.name,
    baseCommit: base.commit,
    worktree: places[0]?.path ?? null,
    commits: ahead,
    uncommittedFiles,
    lastActivityAt: times.toSorted().at(-1) ?? null,
  };
}
