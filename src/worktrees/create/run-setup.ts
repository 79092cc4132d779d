import { Failure } from "../../domain/errors.ts";
import type { Ports } from "../../platform/ports/index.ts";
import type { Interruption } from "../../platform/ports/interruption.ts";
import type { ListedWorktree } from "../../platform/ports/worktrees.ts";

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
 * False when somebody asked to stop: what was cut off says nothing about the command, and is done again later.
 */
export async function runSetup(
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
  const what = made.isNew ? "the worktree was taken away again" : `the worktree ${path} stays as it is`;
  throw new Failure("worktree/set-up-failed", `${argv[0]} ${ending}; ${what}.`, {
    command: argv,
    worktree_path: path,
    output: output.split("\n").slice(-40),
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
