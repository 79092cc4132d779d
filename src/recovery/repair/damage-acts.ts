import { BRANCH_PREFIX, Failure, few, plural } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import type { Seen, SeenOf } from "../rules/index.ts";
import { completedSteps, landingLock, loadBringBack, findStepsOffBranch } from "../../commits/index.ts";
import { loadMergeApproval } from "../../runs/index.ts";
import { planPathFromHere } from "../../plans/index.ts";
import type { ActContext } from "./act-context.ts";
import { loadWorktreeCreate } from "../../worktrees/index.ts";
import { loadReopen } from "../../steps/index.ts";

/** Objects go aside; a kill in between leaves some of them for the next call. */
export async function setDamagedObjectsAside({ ports }: ActContext): Promise<string> {
  const damage = await ports.damage();
  const objects = await damage.objects("recent");
  if (objects.length === 0) return "all are readable again";
  const { folder, written, missing: all } = await damage.setAside(objects);
  const missing = objects.map(({ id }) => id).filter((id) => all.includes(id));
  return [
    `moved to ${folder}`,
    ...(written.length === 0 ? [] : [`${plural(written.length, "object")} written again from a checkout`]),
    ...(missing.length === 0 ? [] : [`not to be found elsewhere: ${few(missing.map(short))}`]),
  ].join("; ");
}

const short = (id: string): string => id.slice(0, 12);

/** Under the lock that landing work takes, so that no worker moves the branch meanwhile. */
export async function moveBack({ ports }: ActContext, { facts }: SeenOf<"branch">): Promise<string> {
  const { branch, ...found } = facts;
  const [damage, locks] = await Promise.all([ports.damage(), ports.locks()]);
  const { written } = await damage.writeAgain();
  if (
    written.length > 0 &&
    !(await damage.branches("whole", async () => [])).some(({ name }) => name === branch)
  )
    return `whole again: ${plural(written.length, "object")} written again from a checkout`;
  const { at, folder } = await locks.during(landingLock(branch), () =>
    damage.moveBack({ name: branch, ...found }),
  );
  if (at === undefined) return `no commit of it is known; its ref moved to ${folder}`;
  const from = facts.at === undefined ? "" : ` from ${short(facts.at)}`;
  return `moved${from} to ${short(at)}, files of its worktree stay as they are; what git had is in ${folder}`;
}

/** What lies in the folder is kept beside it; what was committed is on the branch. */
export async function rebuild({ ports }: ActContext, { facts, now }: SeenOf<"worktree">): Promise<string> {
  const [worktrees, locks] = await Promise.all([ports.worktrees(), ports.locks()]);
  const lines = [...(await locks.during("worktrees", () => worktrees.clearHalfMade()))];
  const mark = await markOf(ports, facts.branch);
  if (mark === undefined || now.plan !== "there") return [...lines, "its branch stays"].join("; ");
  const { createWorktree } = await loadWorktreeCreate();
  const made = await createWorktree(ports, {
    plan: planPathFromHere(ports, mark.plan),
    base: mark.base,
    name: facts.branch!.slice(BRANCH_PREFIX.length),
  });
  return [...lines, ...made.warnings, `made again at ${made.worktreePath}`].join("; ");
}

async function markOf(ports: Ports, branch: string | undefined) {
  return (await (await ports.branches()).planBranches()).find(({ name }) => name === branch)?.mark;
}

/** Completed steps whose commits are lost for good, or no longer wanted on the branch, go back to pending. */
export async function reopenLost({ ports, because }: ActContext, seen: Seen): Promise<string> {
  if (seen.kind !== "landed" && seen.kind !== "branch")
    throw new Failure("internal/bug", `A ${seen.kind} cannot be reopened.`, {});
  const plan = seen.facts.plan ?? "";
  const { reopen } = await loadReopen();
  const steps = seen.kind === "landed" ? [seen.facts] : (seen.facts.lacks ?? []);
  const how = seen.kind === "landed" ? "is damaged" : `is not on ${seen.facts.branch}`;
  for (const { anchor, commit } of steps)
    await reopen(ports, {
      plan: planPathFromHere(ports, plan),
      step: anchor,
      reason: `its commit ${short(commit)} ${how}: ${because}`,
    });
  return "pending";
}

/** It asks git again: a landing or a person may have moved the branch since. */
export async function bringStepsBack({ ports }: ActContext, { facts }: SeenOf<"branch">): Promise<string> {
  const database = await ports.database();
  const completed = await database.read((sql) =>
    completedSteps(sql, facts.plan === undefined ? [] : [facts.plan]),
  );
  const found = (await findStepsOffBranch(ports, completed)).find(({ branch }) => branch === facts.branch);
  if (found === undefined) return "has them by now";
  const { bringBack } = await loadBringBack();
  const at = await bringBack(ports, found, async (merge) =>
    (await loadMergeApproval()).mergeApproval(ports)(merge),
  );
  return `is at ${short(at)}, with all of them`;
}

/** The one kind of thing that a repair is about. */
export function about<K extends "branch" | "worktree" | "landed" | "full" | "edit">(
  kind: K,
  act: (context: ActContext, seen: SeenOf<K>) => Promise<string>,
): (context: ActContext, seen: { readonly kind: string }) => Promise<string> {
  return (context, seen) => {
    if (seen.kind !== kind)
      throw new Failure("internal/bug", `A repair of a ${kind} was asked of a ${seen.kind}.`, {});
    return act(context, seen as SeenOf<K>);
  };
}
