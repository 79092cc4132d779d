import { BRANCH_PREFIX } from "../../domain/plan-branch.ts";
import { plural } from "../../domain/plural.ts";
import type { Ports } from "../../platform/ports/index.ts";
import type { Interruption } from "../../platform/ports/interruption.ts";
import type { Ensured } from "./ensure-worktree.ts";
import { savedLines } from "../saved-lines.ts";
import { type NewWorktree, runSetup } from "./run-setup.ts";

/**
 * Takes away a worktree that git died in while it made or removed it, so that the next round makes it anew.
 *
 * It has no mark, so nobody was ever sent there; what lies in it is kept all the same. Only where Pawl puts worktrees:
 * elsewhere somebody made it by hand, and deleted the files on purpose.
 */
export async function removeHalfMade(
  ports: Ports,
  { worktree, branch, isNew }: Ensured,
): Promise<readonly string[]> {
  const worktrees = await ports.worktrees();
  const isOurs = worktree.path === worktrees.pathFor(branch.slice(BRANCH_PREFIX.length));
  if (isNew || !isOurs || worktrees.state(worktree) !== "unfinished") return [];
  if (await worktrees.hasAllFiles(worktree)) return [];
  const { saveAndRemove: takeDown } = await import("../remove/remove-worktree.ts");
  const because = "committed files were missing";
  const { saved, ignoredFiles } = await takeDown(ports, worktree, { deleteBranch: false, because });
  return [
    `${worktree.path} lacked committed files; it was made again from its branch`,
    ...(ignoredFiles === 0 ? [] : [`not kept: ${plural(ignoredFiles, "file")} that git ignores`]),
    ...savedLines(saved),
  ];
}

/** What a new worktree needs besides its files. False when the worktree is gone. */
export async function prepareWorktree(
  ports: Ports,
  found: NewWorktree,
  {
    warnings,
    interruption,
  }: { readonly warnings: string[]; readonly interruption: Interruption | undefined },
): Promise<boolean> {
  const worktrees = await ports.worktrees();
  const seen = worktrees.state(found.worktree);
  if (seen !== "unfinished") return seen === "ready";
  const { skipped } = await worktrees.copyIncluded(found.worktree);
  warnings.push(...skipped.map((what) => `not copied: ${what}`));
  const once = ports.settings.worktree_setup !== undefined;
  if (await runSetup(ports, found, interruption)) await worktrees.markReady(found.worktree, { once });
  return true;
}
