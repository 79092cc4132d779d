import { Failure } from "../domain/errors.ts";
import { BRANCH_PREFIX, LOCK_REASON, isWorktreeName } from "../domain/plan-branch.ts";
import { plural } from "../domain/plural.ts";
import { hashOf, parseSource } from "../formats/read-plan.ts";
import type { Sql } from "../ports/database.ts";
import type { PlanBranch } from "../ports/branches.ts";
import type { Ports } from "../ports/index.ts";
import type { Interruption } from "../ports/interruption.ts";
import type { CheckedOut, ListedWorktree, Wanted, Worktrees } from "../ports/worktrees.ts";
import { listWorktreeEvents } from "../store/statements/list-worktree-events.ts";
import { type Base, chooseBase } from "./choose-base.ts";
import { chooseBranch, refusePrefix } from "./choose-branch.ts";
import { journal } from "./journal.ts";
import { ensureSaved, readPlan, type ReadPlan } from "./save.ts";
import { setUpWorktree, type Made } from "./set-up-worktree.ts";
import type { Saved } from "./take-down.ts";

export interface CreateRequest {
  readonly plan: string;
  readonly base?: string | undefined;
  readonly name?: string | undefined;
  /** Cuts its set-up short: the worktree stays without its mark, and the next call sets it up. */
  readonly interruption?: Interruption | undefined;
}

export interface CreateAnswer {
  readonly worktreePath: string;
  readonly branchName: string;
  readonly baseBranch: string;
  readonly planPath: string;
  readonly totalSteps: number;
  readonly reused: boolean;
  readonly stateInitialized: boolean;
  readonly warnings: readonly string[];
}

/**
 * Gives a plan a worktree of its own, and finds it again however often it is called.
 *
 * A call that died half way leaves a worktree without its mark; the next call finishes what is missing, or makes it
 * anew where git itself died in it. Otherwise only a worktree that this very call made is ever taken away again, when
 * its set-up fails.
 */
export async function createWorktree(ports: Ports, request: CreateRequest): Promise<CreateAnswer> {
  if (request.name !== undefined && !isWorktreeName(request.name)) {
    throw new Failure(
      "usage/wrong",
      `${request.name} cannot be the name of a worktree.`,
      { name: request.name },
      { hint: "Use letters, digits, dots, dashes and underscores." },
    );
  }
  const read = await readPlan(ports, request.plan);
  const locks = await ports.locks();
  const remade: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = await locks.during("worktrees", () => ensure(ports, read, request));
    const warnings = [...remade, ...found.warnings];
    const isDone = await locks.during(found.branch, async () => {
      remade.push(...(await takeAwayHalf(ports, found)));
      return furnish(ports, found, { warnings, interruption: request.interruption });
    });
    // Somebody removed it before it was our turn, or we did because half of it was missing.
    if (!isDone) continue;
    const stateInitialized = await initialise(ports, read, found, warnings);
    return {
      worktreePath: found.worktree.path,
      branchName: found.branch,
      baseBranch: found.base,
      planPath: read.key,
      totalSteps: read.plan.steps.length,
      reused: !found.isNew,
      stateInitialized,
      warnings,
    };
  }
  throw new Failure("worktree/busy", "Somebody removed the worktree each time it was made.", {
    plan_path: read.key,
  });
}

/** How often a worktree may be gone again before it was our turn. */
const ROUNDS = 5;

interface Ensured extends Made {
  readonly base: string;
  readonly warnings: readonly string[];
}

async function ensure(ports: Ports, read: ReadPlan, request: CreateRequest): Promise<Ensured> {
  const worktrees = await ports.worktrees();
  const cleared = await worktrees.clearHalfMade();
  const { name, branch, existing } = await chooseBranch(ports, read.key, request.name);
  const path = worktrees.place(name);
  const { listed, present } = await whereabouts(worktrees, { branch, path });
  if (present !== undefined && !present.isMissing) {
    refuseMain(present);
    ports.repository.worktree(present.path);
    if (present.lock === undefined) await worktrees.lock(present, LOCK_REASON);
    const base = existing?.mark?.base ?? (await chooseBase(ports, request.base, listed)).name;
    return {
      worktree: { ...present, lock: present.lock ?? LOCK_REASON },
      branch,
      base,
      isNew: false,
      newBranchAt: undefined,
      warnings: [...cleared, ...otherBase(base, request)],
    };
  }
  if (existing === undefined) await refusePrefix(ports);
  const warnings = present === undefined ? [] : await forget(ports, present);
  refuseOccupied(worktrees, listed, path, branch);
  const start = await markFor(ports, { read, request, branch, existing, listed });
  const { worktree, hookFailure } = await worktrees.add({
    path,
    branch,
    commit: existing?.commit ?? start.commit,
    isNewBranch: existing === undefined,
    lockReason: LOCK_REASON,
  });
  if (hookFailure !== undefined) warnings.push(`the post-checkout hook failed: ${hookFailure}`);
  return {
    worktree,
    branch,
    base: start.name,
    isNew: true,
    newBranchAt: existing === undefined ? start.commit : undefined,
    warnings: [...cleared, ...warnings, ...otherBase(start.name, request)],
  };
}

interface Whereabouts {
  readonly listed: readonly CheckedOut[];
  /** The worktree that has the branch already. */
  readonly present: ListedWorktree | undefined;
}

/** Of a branch that is nowhere yet, as a new one is, git's files tell that; about all others git is asked. */
async function whereabouts(worktrees: Worktrees, wanted: Wanted): Promise<Whereabouts> {
  const main = worktrees.glance(wanted);
  if (main !== undefined) return { listed: [main], present: undefined };
  const listed = await worktrees.list();
  return { listed, present: listed.find(({ branch }) => branch === wanted.branch) };
}

/** Handing out the main checkout as the plan's worktree would send the agent into the user's files. */
function refuseMain({ isMain, branch, path }: ListedWorktree): void {
  if (!isMain) return;
  throw new Failure(
    "worktree/in-the-way",
    `${branch} is checked out in the main checkout ${path}, so it cannot have a worktree of its own.`,
    { branch_name: branch, worktree_path: path },
    { hint: "Switch the main checkout to another branch." },
  );
}

function refuseOccupied(
  worktrees: Worktrees,
  listed: readonly CheckedOut[],
  path: string,
  branch: string,
): void {
  const other = listed.find((worktree) => worktree.path === path && worktree.branch !== branch);
  const what =
    other === undefined
      ? "is there and is no worktree"
      : `has ${other.branch ?? "a detached HEAD"} checked out`;
  if (other === undefined && worktrees.standsAt(path) !== "something") return;
  throw new Failure("worktree/in-the-way", `${path} ${what}.`, { path, branch_name: other?.branch ?? null });
}

interface Marking {
  readonly read: ReadPlan;
  readonly request: CreateRequest;
  readonly branch: string;
  readonly existing: PlanBranch | undefined;
  readonly listed: readonly CheckedOut[];
}

/** Written before the branch: a branch that nobody knows the plan of could be taken for another plan's. */
async function markFor(ports: Ports, { read, request, branch, existing, listed }: Marking): Promise<Base> {
  if (existing?.mark !== undefined) return { name: existing.mark.base, commit: existing.mark.start };
  const branches = await ports.branches();
  const base = await chooseBase(ports, request.base, listed);
  const fork = existing && (await branches.mergeBase(base.commit, existing.commit));
  const start = fork ?? base.commit;
  await branches.mark(branch, { plan: read.key, base: base.name, start });
  return { name: base.name, commit: start };
}

const otherBase = (base: string, request: CreateRequest): readonly string[] =>
  request.base === undefined || request.base === base
    ? []
    : [`the branch was made from ${base}, so --base ${request.base} has no effect`];

/** The worktree is gone and git still has its entry; what only the entry holds is kept before it goes. */
async function forget(ports: Ports, missing: ListedWorktree): Promise<string[]> {
  const { forgetMissing, keepLoneCommits, movedSaved } = await import("./take-down.ts");
  const saved = await keepLoneCommits(ports, missing);
  const moved = movedSaved(missing, await forgetMissing(ports, missing));
  const what = moved.length === 0 ? "the folder" : ".git in";
  return [
    `${what} ${missing.path} was gone; the worktree was made again from its branch`,
    ...savedLines([...saved, ...moved]),
  ];
}

/**
 * Takes away a worktree that git died in while it made or removed it, so that the next round makes it anew.
 *
 * It has no mark, so nobody was ever sent there; what lies in it is kept all the same. Only where Pawl puts worktrees:
 * elsewhere somebody made it by hand, and deleted the files on purpose.
 */
async function takeAwayHalf(ports: Ports, { worktree, branch, isNew }: Ensured): Promise<readonly string[]> {
  const worktrees = await ports.worktrees();
  const isOurs = worktree.path === worktrees.place(branch.slice(BRANCH_PREFIX.length));
  if (isNew || !isOurs || worktrees.look(worktree) !== "unfinished") return [];
  if (await worktrees.isWhole(worktree)) return [];
  const { takeDown } = await import("./take-down.ts");
  const because = "committed files were missing";
  const { saved, ignoredFiles } = await takeDown(ports, worktree, { deleteBranch: false, because });
  return [
    `${worktree.path} lacked committed files; it was made again from its branch`,
    ...(ignoredFiles === 0 ? [] : [`not kept: ${plural(ignoredFiles, "file")} that git ignores`]),
    ...savedLines(saved),
  ];
}

const savedLines = (saved: readonly Saved[]): readonly string[] =>
  saved.map(({ what, bringBack }) => `${what} is kept; back with: ${bringBack}`);

/** What a new worktree needs besides its files. False when the worktree is gone. */
async function furnish(
  ports: Ports,
  found: Ensured,
  {
    warnings,
    interruption,
  }: { readonly warnings: string[]; readonly interruption: Interruption | undefined },
): Promise<boolean> {
  const worktrees = await ports.worktrees();
  const seen = worktrees.look(found.worktree);
  if (seen !== "unfinished") return seen === "ready";
  const { skipped } = await worktrees.copyIncluded(ports.repository.worktree(found.worktree.path));
  warnings.push(...skipped.map((what) => `not copied: ${what}`));
  if (await setUpWorktree(ports, found, interruption)) worktrees.markReady(found.worktree);
  return true;
}

async function initialise(
  ports: Ports,
  read: ReadPlan,
  { worktree, branch, base }: Ensured,
  warnings: string[],
): Promise<boolean> {
  try {
    const { planChanged } = await ensureSaved(ports, read);
    if (planChanged) warnings.push(`${read.key} was edited after its state was made; claims will refuse it`);
    warnings.push(...seenFromThere(ports, read, worktree.path));
    await noteCreated(ports, read.key, worktree, { branch, base });
    return true;
  } catch (error) {
    warnings.push(`state init failed: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

const MOST_EVENTS = 20;

/** Once for each worktree: a call that died before it could leaves it to the next. */
async function noteCreated(
  ports: Ports,
  plan: string,
  { path, id }: ListedWorktree,
  { branch, base }: { readonly branch: string; readonly base: string },
): Promise<void> {
  const database = await ports.database();
  const isNoted = async (sql: Sql) =>
    (await sql.all(listWorktreeEvents, { worktree: path, most: MOST_EVENTS })).some(
      ({ event, detail }) =>
        event === "worktree-created" && (JSON.parse(detail) as { id?: string }).id === id,
    );
  if (await database.read(isNoted)) return;
  await database.write(async (sql) => {
    if (await isNoted(sql)) return;
    await journal(sql, { event: "worktree-created", plan, worktree: path, detail: { branch, base, id } });
  });
}

/** What an agent in the worktree will find under the plan's name: the file as committed, else the main checkout's. */
function seenFromThere(ports: Ports, read: ReadPlan, worktree: string): readonly string[] {
  const seen = ports.plans.seenFrom(worktree, read.key);
  if (seen === undefined) return [`${read.key} is not committed, and cannot be seen from the worktree`];
  const isSame =
    seen.hash === read.hash ||
    hashOf(parseSource(seen, read.key, read.plan.format), seen, ports.sha256) === read.hash;
  return isSame ? [] : [`${read.key} is another one on ${worktree}: commit the edited plan first`];
}
