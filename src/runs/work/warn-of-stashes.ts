import { fromInstant } from "../../domain/index.ts";
import type { SupervisedEnd } from "../../platform/ports/index.ts";
import type { ClaimedStep } from "../../steps/index.ts";
import type { Worker } from "./worker.ts";

/** What an agent puts aside is in no commit, and looks as if it had never been. */
export async function warnOfStashes(
  { ports, session, branch, warn }: Worker,
  { anchor }: ClaimedStep,
  { startedAt }: SupervisedEnd,
): Promise<void> {
  if (branch === undefined) return;
  // Git counts whole seconds.
  const sinceMs = Math.floor(fromInstant(startedAt) / 1000) * 1000;
  const all = await (await ports.commits()).stashes(session.worktree, branch);
  for (const { commit } of all.filter(({ madeMs }) => madeMs >= sinceMs))
    warn(
      anchor,
      `stashed: work was put aside and is not in the commit; restore it with: git stash apply ${commit}`,
    );
}
