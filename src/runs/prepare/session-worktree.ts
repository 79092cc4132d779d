import { BRANCH_PREFIX, Failure, shellWord } from "../../domain/index.ts";
import type { Interruption, ListedWorktree, Ports, Worktree } from "../../platform/ports/index.ts";
import type { SessionRow } from "../../platform/index.ts";
import { findWorkerWorktree, isOnlyHere, worktreeForBranch, type WorkerWorktree } from "./worker-worktree.ts";
import { type WorktreeTrouble, worktreeTrouble } from "../../worktrees/index.ts";

/** Where a session continues, and what keeps it from that. */
export interface SessionWorktree extends WorkerWorktree {
  /** Made by Pawl for its worker: whatever is committed there is the work of the steps that it was made for. */
  readonly isOurs: boolean;
  /** Only in a person's own worktree. */
  readonly trouble?: WorktreeTrouble | undefined;
}

export interface SessionWorktreeRequest {
  /** How the plan is called from here. */
  readonly operand: string | undefined;
  /** Branches of the other workers, which are spoken for. */
  readonly others: ReadonlySet<string>;
  readonly interruption: Interruption | undefined;
}

/**
 * The worktree of a session, made again from its branch when it is gone.
 *
 * One that Pawl made, and that has something else checked out or a merge begun in it, stays as it is: an agent may have
 * left it so, or a person may be at work there. The session continues in another one, so that a resume that runs
 * unattended never waits for a person. A person's own worktree is taken as it is.
 */
export async function sessionWorktree(
  ports: Ports,
  row: SessionRow,
  { operand, others, interruption }: SessionWorktreeRequest,
): Promise<SessionWorktree> {
  const { branch, base, worktree: path } = row;
  const listed = (await (await ports.worktrees()).list()).find((one) => one.path === path);
  const trouble = listed && branch !== null ? worktreeTrouble(listed, branch) : undefined;
  const isOurs = branch?.startsWith(BRANCH_PREFIX) && base?.startsWith(BRANCH_PREFIX);
  if (!isOurs || operand === undefined) return asItIs(ports, path, listed, trouble);
  const elsewhere = async (says: string, way = ""): Promise<SessionWorktree> => {
    const place = await findWorkerWorktree(ports, operand, { branch: base!, except: others, interruption });
    const left = `${says}; it stays as it is, and the work continues in ${place.worktree.path}.${way}`;
    return { ...place, isOurs: true, warnings: [...place.warnings, left] };
  };
  if (trouble) return elsewhere(trouble.says, ` To use it again, ${trouble.way}`);
  try {
    const place = await worktreeForBranch(ports, operand, base!, { branch: branch!, interruption });
    return { ...place, isOurs: true };
  } catch (error) {
    if (!isOnlyHere(error)) throw error;
    return elsewhere(`${path}: ${error.message}`);
  }
}

const asItIs = (
  ports: Ports,
  path: string,
  listed: ListedWorktree | undefined,
  trouble: WorktreeTrouble | undefined,
): SessionWorktree => ({
  worktree: worktreeAt(ports, path),
  branch: listed?.branch,
  warnings: [],
  isOurs: false,
  trouble,
});

function worktreeAt(ports: Ports, path: string): Worktree {
  try {
    return ports.repository.worktree(path);
  } catch (error) {
    if (!(error instanceof Failure) || error.problem !== "worktree/not-found") throw error;
    throw new Failure(error.problem, error.message, error.details, {
      hint: `Where only its .git file is gone, \`git worktree repair ${shellWord(path)}\` brings it back. What was not committed is in its snapshot: \`pawl sessions show\` names it.`,
    });
  }
}
