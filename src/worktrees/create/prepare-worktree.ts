import { BRANCH_PREFIX, Failure, plural } from "../../domain/index.ts";
import type { Interruption, ListedWorktree, Ports } from "../../platform/ports/index.ts";
import type { Ensured } from "./ensure-worktree.ts";
import { savedLines } from "../saved.ts";

/**
 * Takes away a worktree that git died in while it made or removed it, so that the next round makes it anew.
 *
 * It has no mark, so no worker was ever sent there; what lies in it is kept all the same. Only where Pawl puts worktrees:
 * elsewhere a person made it by hand, and deleted the files on purpose.
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
  const included = await worktrees.copyIncluded(found.worktree);
  const shared = await worktrees.shareFolders(found.worktree);
  warnings.push(...[...included.skipped, ...shared.skipped].map((what) => `not copied: ${what}`));
  const once = ports.settings.worktree_setup !== undefined;
  if (await runSetup(ports, found, interruption)) await worktrees.markReady(found.worktree, { once });
  return true;
}

/** A worktree that is to be set up. */
export interface NewWorktree {
  readonly worktree: ListedWorktree;
  readonly branch: string;
  /** Made by this call, and with it the branch, if `newBranchAt` says where. */
  readonly isNew: boolean;
  readonly newBranchAt: string | undefined;
}

/**
 * Runs what the settings say a new worktree needs; what this very call made is taken away again when that fails.
 *
 * False when a person asked to stop: what was cut off says nothing about the command, and is done again later.
 */
async function runSetup(
  ports: Ports,
  made: NewWorktree,
  interruption: Interruption | undefined,
): Promise<boolean> {
  const argv = ports.settings.worktree_setup;
  if (argv === undefined) return true;
  if (interruption?.signal() !== undefined) return false;
  const { path } = made.worktree;
  const { ok, ending, output } = await (await ports.commands()).run(argv, { cwd: path, interruption });
  if (ok) return true;
  if (interruption?.signal() !== undefined) return false;
  if (made.isNew) await undo(ports, made);
  const what = made.isNew ? "the worktree was removed again" : `the worktree ${path} stays as it is`;
  throw new Failure("worktree/set-up-failed", `worktree_setup failed: ${argv[0]} ${ending}; ${what}.`, {
    command: argv,
    worktree_path: path,
    output: output.trimEnd().split("\n").slice(-40),
  });
}

/** Only for what this call made a moment ago. The branch goes too, unless something was committed to it. */
async function undo(ports: Ports, { worktree, branch, newBranchAt }: NewWorktree): Promise<void> {
  const worktrees = await ports.worktrees();
  await worktrees.unlock(worktree);
  await worktrees.remove(worktree, { evenDirty: true });
  const branches = await ports.branches();
  const ref = `refs/heads/${branch}`;
  const isUntouched = newBranchAt !== undefined && (await branches.commits([ref])).get(ref) === newBranchAt;
  if (isUntouched) await branches.remove(branch, newBranchAt);
}
