import { BRANCH_PREFIX } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import type { Seen, SeenOf } from "../rules/index.ts";
import { listCheckpoints } from "../../sessions/index.ts";
import { type CompletedStep, completedSteps, findStepsOffBranch } from "../../commits/index.ts";
import { listPlans } from "../../plans/index.ts";
import { openIfThere } from "../../journal/index.ts";
import { readSessions, type ObservedSession } from "./observe-sessions.ts";

/** How far the look goes: `tips` is cheap enough for each resume, `whole` looks at all that Pawl's branches lead to. */
export type DamageExtent = "tips" | "whole";

/** As `observeDamage`, for callers who know no sessions. */
export async function damageNow(ports: Ports, extent: DamageExtent): Promise<readonly Seen[]> {
  const isThere = (await openIfThere(ports)) !== undefined;
  return observeDamage(ports, extent, isThere ? await readSessions(ports, new Set()) : []);
}

/** What a power cut left of git's files: objects, branches, entries of worktrees, commits of completed steps. */
export async function observeDamage(
  ports: Ports,
  extent: DamageExtent,
  sessions: readonly ObservedSession[],
): Promise<readonly Seen[]> {
  const damage = await ports.damage();
  const objects = await damage.objects("recent");
  // One after the other: an empty object counts as present to some of git's commands, and a worktree is made from a branch.
  if (objects.length > 0) {
    const names = objects.slice(0, MOST_NAMES).map(({ id }) => id.slice(0, 12));
    const facts = { count: objects.length, names: names.join(", ") };
    return [{ kind: "objects", now: { state: "damaged" }, facts }];
  }
  const completed = await completedCommits(ports);
  const branches = await observeBranches(ports, { extent, sessions, completed });
  if (branches.some(({ now }) => now.use === "free" && now.good === "known" && now.holds === "nothing"))
    return branches;
  const off = branches.length === 0 ? await observeOffBranch(ports, { sessions, completed }) : [];
  const halves = [...off, ...(await observeHalves(ports, sessions))];
  if (extent === "tips") return [...branches, ...halves];
  const lost = new Set(await damage.lost([...new Set(completed.map(({ commit }) => commit))]));
  const landed = completed
    .filter(({ commit }) => lost.has(commit))
    .map((facts): SeenOf<"landed"> => ({ kind: "landed", now: { commit: "lost" }, facts }));
  return [...branches, ...halves, ...landed];
}

interface BranchLook {
  readonly extent: DamageExtent;
  readonly sessions: readonly ObservedSession[];
  readonly completed: readonly CompletedStep[];
}

async function observeBranches(
  ports: Ports,
  { extent, sessions, completed }: BranchLook,
): Promise<readonly SeenOf<"branch">[]> {
  const rows = sessions.map(({ row }) => row);
  const busy = busyBranches(sessions);
  const damaged = await (
    await ports.damage()
  ).branches(extent, (branch) => knownCommits(ports, branch, { completed, rows }));
  return damaged.map(({ name, base, ...found }) => {
    // A worker's commits are on the plan's branch once their step is completed.
    const isPlans =
      base === undefined ? rows.some((row) => row.base === name) : !base.startsWith(BRANCH_PREFIX);
    return {
      kind: "branch",
      now: {
        tip: found.at === undefined ? "empty" : "damaged",
        good: found.good === undefined ? "none" : "known",
        holds: isPlans && found.beyond.length > 0 ? "completed" : "nothing",
        use: busy.has(name) ? "busy" : "free",
      },
      facts: { branch: name, base, ...found },
    };
  });
}

/** What running sessions work on, and what their work lands on. */
const busyBranches = (sessions: readonly ObservedSession[]): ReadonlySet<string | null> =>
  new Set(sessions.filter(({ now }) => now.state === "running").flatMap(({ row }) => [row.branch, row.base]));

const MOST_NAMES = 3;

/** The worktrees whose entry, or whose `.git`, has nothing in it. */
async function observeHalves(
  ports: Ports,
  sessions: readonly ObservedSession[],
): Promise<readonly SeenOf<"worktree">[]> {
  const halves = (await ports.worktrees()).unusable();
  if (halves.length === 0) return [];
  const known = await (await ports.branches()).planBranches();
  return halves.map(({ path }) => {
    const here = sessions.filter(({ row }) => row.worktree === path);
    const branch = here[0]?.row.branch ?? `${BRANCH_PREFIX}${path.slice(path.lastIndexOf("/") + 1)}`;
    const plan = known.find(({ name }) => name === branch)?.mark?.plan;
    const isBusy = here.some(({ now }) => now.state === "running");
    return {
      kind: "worktree",
      now: {
        folder: "damaged",
        plan: plan === undefined ? "none" : ports.plans.existsAnywhere(plan) ? "there" : "gone",
        use: isBusy ? "busy" : "free",
      },
      facts: { path, branch, plan },
    };
  });
}

/** The commits of completed steps, the last one first. */
async function completedCommits(ports: Ports): Promise<readonly CompletedStep[]> {
  const database = await openIfThere(ports);
  if (database === undefined) return [];
  return database.read(async (sql) => {
    const plans = await sql.all(listPlans, {});
    return completedSteps(
      sql,
      plans.map(({ plan_path }) => plan_path),
    );
  });
}

/** The branches of plans that lack completed steps. */
async function observeOffBranch(
  ports: Ports,
  { sessions, completed }: Omit<BranchLook, "extent">,
): Promise<readonly SeenOf<"branch">[]> {
  const busy = busyBranches(sessions);
  return (await findStepsOffBranch(ports, completed)).map(({ plan, branch, base, tip, steps, forward }) => ({
    kind: "branch",
    now: {
      tip: tip === undefined ? "gone" : "behind",
      good: forward === undefined ? "none" : "known",
      holds: "completed",
      use: busy.has(branch) ? "busy" : "free",
    },
    facts: { branch, plan, base, at: tip, good: forward, beyond: [], lacks: steps },
  }));
}

/** The commits that a branch is known to have been at, besides what git's logs say, the last one first. */
async function knownCommits(
  ports: Ports,
  { name, plan }: { readonly name: string; readonly plan: string | undefined },
  {
    completed,
    rows: all,
  }: { readonly completed: readonly CompletedStep[]; readonly rows: readonly ObservedSession["row"][] },
): Promise<readonly string[]> {
  const rows = all.filter(({ branch, base }) => branch === name || base === name);
  const plans = new Set([plan, ...rows.map(({ plan_path }) => plan_path)]);
  const database = await openIfThere(ports);
  const heads: string[] = [];
  for (const { id, branch } of rows) {
    if (branch !== name || database === undefined) continue;
    const checkpoints = await database.read((sql) => sql.all(listCheckpoints, { session_id: id }));
    heads.push(...checkpoints.toReversed().flatMap(({ head_before }) => head_before ?? []));
  }
  return [...heads, ...completed.filter((one) => plans.has(one.plan)).map(({ commit }) => commit)];
}
