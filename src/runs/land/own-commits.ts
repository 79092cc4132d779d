import { planTip } from "../../commits/index.ts";
import { goalOfWorker, type Worker } from "../work/worker.ts";

/**
 * What an agent said in its own commits, oldest first.
 *
 * A step is one commit. Commits that the agent made by itself become part of it, because nothing has verified them one
 * by one; they stay under a ref.
 */
export async function ownWordsOf({ ports, session }: Worker, tip: string): Promise<readonly string[]> {
  const [commits, branches] = await Promise.all([ports.commits(), ports.branches()]);
  const head = await commits.head(session.worktree);
  if (head === undefined || head === tip) return [];
  const base = await branches.mergeBase(tip, head);
  if (base === undefined || base === head) return [];
  return (await branches.messages(base, head)).filter((message) => message !== "");
}

/** Where a worker's branch left the plan's, for a step that lands by a merge. */
export async function forkOf(
  worker: Worker,
  tree: string,
): Promise<{ readonly tip: string; readonly own: string; readonly tree: string } | undefined> {
  const goal = goalOfWorker(worker);
  const { ports, session, plan } = worker;
  const head = goal && (await (await ports.commits()).head(session.worktree));
  if (goal === undefined || head === undefined || plan === undefined) return undefined;
  const tip = await planTip(ports, { plan, branch: goal.branch });
  const fork = await (await ports.branches()).mergeBase(tip, head);
  return fork === undefined ? undefined : { tip: fork, own: tree, tree };
}
