import { BRANCH_PREFIX, Failure, shellWord } from "../domain/index.ts";
import type { Ports, Worktree } from "../platform/ports/index.ts";
import type { NeededCommit } from "./sql/list-needed-commits.ts";
import { mergeCommit } from "../commits/index.ts";

/** Work that a step builds on and that was done on another machine. */
export interface MissingCommit {
  readonly anchor: string;
  readonly commit: string;
  /** The command that brings it here; null when its owner has not pushed it yet. */
  readonly fetch: string | null;
}

/** Work of a dependency that is in this repository and not in the worktree of the step that builds on it. */
export interface MissingWork {
  readonly anchor: string;
  readonly commit: string;
  /** Why the worktree was not brought forward to it. */
  readonly reason: MissingReason;
  /** The files that are in the way. */
  readonly files: readonly string[];
}

export type MissingReason =
  /** The commit is not in this repository. */
  | "not_here"
  /** The worktree has uncommitted changes. */
  | "uncommitted"
  | "conflicts"
  /** Git refused to move the worktree, or another branch is checked out there. */
  | "refused";

/** What a claimed step builds on, as far as it is not where the step will be worked on. */
export interface Foundation {
  /** Commits of other machines that are not in this clone yet. */
  readonly missingCommits: readonly MissingCommit[];
  readonly missingWork: readonly MissingWork[];
  /** The commit that the worktree was brought forward to by the claim. */
  readonly broughtTo: string | null;
}

export interface FoundationRequest {
  readonly plan: string;
  readonly worktree: Worktree;
  readonly needed: readonly NeededCommit[];
}

/**
 * Looks after a claim for the work that the step builds on: a dependency may have landed after the worktree was last
 * brought forward, and an agent would work without it.
 */
export async function bringFoundation(
  ports: Ports,
  { asItIs, ...request }: FoundationRequest & { readonly asItIs: boolean },
): Promise<Foundation> {
  const absent = ports.storeIsShared ? await missingCommits(ports, request.needed) : [];
  const names = new Set(absent.map(({ commit }) => commit));
  const needed = request.needed.filter(({ commit_hash }) => !names.has(commit_hash));
  const brought = asItIs ? NOTHING_MISSING : await bringNeeded(ports, { ...request, needed });
  return { missingCommits: absent, ...brought };
}

type Brought = Pick<Foundation, "missingWork" | "broughtTo">;

const NOTHING_MISSING: Brought = { missingWork: [], broughtTo: null };

/**
 * The commits that a step builds on and that what is checked out in its worktree does not contain.
 *
 * A dependency may land after the worktree was brought forward and before the step was claimed, so this is asked after
 * the claim. One git process at most, and none where the only such commit is the one that is checked out.
 */
export async function notCheckedOut(
  ports: Ports,
  { worktree, needed }: Pick<FoundationRequest, "worktree" | "needed">,
): Promise<readonly NeededCommit[]> {
  const head = await (await ports.commits()).head(worktree);
  if (head === undefined || needed.every(({ commit_hash }) => commit_hash === head)) return [];
  return outside(ports, needed, head);
}

async function outside(
  ports: Ports,
  needed: readonly NeededCommit[],
  tip: string,
): Promise<readonly NeededCommit[]> {
  const names = [...new Set(needed.map(({ commit_hash }) => commit_hash))];
  const lost = new Set(await ports.git.unreachable(names, [tip]));
  return needed.filter(({ commit_hash }) => lost.has(commit_hash));
}

export interface Lacking {
  readonly here: readonly NeededCommit[];
  /** Not in this repository at all. */
  readonly notHere: readonly NeededCommit[];
}

/**
 * The needed commits whose work a commit does not contain, under another name either: a squash or a rebase keeps the
 * trailers, which name the step and its claim.
 */
export async function lackingIn(
  ports: Ports,
  {
    plan,
    needed,
    tip,
  }: { readonly plan: string; readonly needed: readonly NeededCommit[]; readonly tip: string },
): Promise<Lacking> {
  const behind = await outside(ports, needed, tip);
  if (behind.length === 0) return { here: [], notHere: [] };
  const entries = (await ports.git.planCommits({ refs: [tip] })).filter(
    (entry) => entry.plan === plan && entry.revertedBy === undefined,
  );
  const isThere = ({ anchor, claim_seq }: NeededCommit) =>
    entries.some(({ steps, claims }) => steps.includes(anchor) && claims.includes(claim_seq));
  const left = behind.filter((one) => !isThere(one));
  const absent = new Set(await ports.git.missingCommits(left.map(({ commit_hash }) => commit_hash)));
  return {
    here: left.filter(({ commit_hash }) => !absent.has(commit_hash)),
    notHere: left.filter(({ commit_hash }) => absent.has(commit_hash)),
  };
}

/** Whether Pawl made the worktree, by its branch: in any other one a person decides what is checked out. */
async function pawlBranchOf(ports: Ports, worktree: Worktree): Promise<string | undefined> {
  if (worktree.path === ports.repository.mainTopLevel) return undefined;
  const branch = await (await ports.commits()).branch(worktree);
  return branch?.startsWith(BRANCH_PREFIX) ? branch : undefined;
}

/**
 * Brings a worktree that Pawl made forward to the work that its step builds on, where nothing can be lost by it: it has
 * no uncommitted changes, and the merge is clean. What stays missing is named with the reason.
 *
 * A crash on the way leaves the worktree before or behind the move, and the next claim there asks again.
 */
export async function bringNeeded(ports: Ports, request: FoundationRequest): Promise<Brought> {
  const { worktree, plan } = request;
  const branch = await pawlBranchOf(ports, worktree);
  if (branch === undefined) return NOTHING_MISSING;
  await finishMove(ports, worktree);
  const behind = await notCheckedOut(ports, request);
  if (behind.length === 0) return NOTHING_MISSING;
  const commits = await ports.commits();
  const head = (await commits.head(worktree))!;
  const { here, notHere: absent } = await lackingIn(ports, { plan, needed: behind, tip: head });
  const notHere = absent.map(missing("not_here"));
  if (here.length === 0) return { ...NOTHING_MISSING, missingWork: notHere };
  const changed = await commits.uncommitted(worktree, undefined);
  if (changed.length > 0)
    return { ...NOTHING_MISSING, missingWork: [...notHere, ...here.map(missing("uncommitted", changed))] };
  const { to, conflicts } = await join(ports, { branch, head, needed: here });
  const moved = to === head || (await forward(ports, worktree, { branch, to }));
  const left = moved ? conflicts : here.map(missing("refused"));
  return { missingWork: [...notHere, ...left], broughtTo: moved && to !== head ? to : null };
}

/**
 * Finishes a move that was killed on its way: its lock would keep every git command from the worktree, also where the
 * commits are all there. Why it cannot be finished is answered, and the worktree stays as it is.
 */
export async function finishMove(ports: Ports, worktree: Worktree): Promise<Failure | undefined> {
  try {
    await (await ports.worktrees()).finishForward(worktree);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

const missing =
  (reason: MissingReason, files: readonly string[] = []) =>
  ({ anchor, commit_hash: commit }: NeededCommit): MissingWork => ({ anchor, commit, reason, files });

/** The commit that holds what is checked out and all that is needed, as far as it merges without conflict. */
async function join(
  ports: Ports,
  { branch, head, needed }: { branch: string; head: string; needed: readonly NeededCommit[] },
): Promise<{ readonly to: string; readonly conflicts: readonly MissingWork[] }> {
  const branches = await ports.branches();
  const base = (await branches.planBranch(branch))?.mark?.base;
  const tip = base?.startsWith(BRANCH_PREFIX) ? (await branches.planBranch(base))?.commit : undefined;
  // Straight on to where the plan is, if that has all of it: no merge commit is needed then.
  if (tip !== undefined && (await branches.mergeBase(head, tip)) === head)
    if ((await outside(ports, needed, tip)).length === 0) return { to: tip, conflicts: [] };
  const conflicts: MissingWork[] = [];
  let to = head;
  // The last ones first: as a rule they hold the others.
  for (const one of needed.toReversed()) {
    const common = await branches.mergeBase(to, one.commit_hash);
    if (common === one.commit_hash) continue;
    if (common === to) to = one.commit_hash;
    else
      try {
        to = await mergeCommit(branches, { tip: to, commit: one.commit_hash, branch, from: one.anchor });
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        conflicts.push(missing("conflicts", filesOf(error))(one));
      }
  }
  return { to, conflicts };
}

const filesOf = ({ details }: Failure): readonly string[] =>
  (details["files"] as readonly string[] | undefined) ?? [];

async function forward(
  ports: Ports,
  worktree: Worktree,
  to: { readonly branch: string; readonly to: string },
): Promise<boolean> {
  try {
    return await (await ports.worktrees()).fastForward(worktree, to);
  } catch (error) {
    // Nothing was moved; the caller names what is missing, and the step is held all the same.
    if (error instanceof Failure) return false;
    throw error;
  }
}

/** Those of the commits a step builds on that must be fetched before work on it can begin. */
async function missingCommits(
  ports: Ports,
  needed: readonly NeededCommit[],
): Promise<readonly MissingCommit[]> {
  const missing = new Set(await ports.git.missingCommits(needed.map((row) => row.commit_hash)));
  return needed
    .filter((row) => missing.has(row.commit_hash))
    .map((row) => ({
      anchor: row.anchor,
      commit: row.commit_hash,
      fetch: fetchOf(row.commit_ref, ports.settings.remote),
    }));
}

/** The ref was written down on another machine, where the shared remote may go by another name. */
function fetchOf(ref: string | null, shared: string | undefined): string | null {
  if (ref === null) return null;
  const end = shared !== undefined && ref.startsWith(`${shared}/`) ? shared.length : ref.indexOf("/");
  return end < 0
    ? `git fetch ${shellWord(ref)}`
    : `git fetch ${shellWord(shared ?? ref.slice(0, end))} ${shellWord(ref.slice(end + 1))}`;
}
