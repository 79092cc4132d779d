import { signedClaim } from "../signed-step.ts";
import type { Held, Worker } from "./worker.ts";

/**
 * The commit that an earlier claim of this step made here, when that is what is checked out.
 *
 * Its git may have outlived a runner that was killed; another commit would be the same work a second time.
 */
export async function earlierCommit(worker: Worker, held: Held): Promise<string | undefined> {
  if (held.claim === FIRST_CLAIM) return undefined;
  const { ports, session } = worker;
  const [head] = (await (await ports.commits()).recent(session.worktree)).notes;
  const claim = head && signedClaim(ports.signer, head, held.plan, held.anchor);
  return claim !== undefined && claim < held.claim ? head!.commit : undefined;
}

const FIRST_CLAIM = 1;

/**
 * Whether such a commit holds all that is there. If not, it is taken off its branch, so that one commit will hold all of
 * the step: files stay as they are, and the commit is kept.
 *
 * Only on a branch of the run's own: what is on anybody else's may have been seen already.
 */
export async function isWhole(worker: Worker, held: Held, earlier: string): Promise<boolean> {
  const { ports, session, integration } = worker;
  const commits = await ports.commits();
  if ((await commits.uncommitted(session.worktree, undefined)).length === 0) return true;
  if (integration === undefined) return false;
  await (await ports.branches()).rescue(held.anchor, earlier);
  await commits.takeBack(session.worktree, earlier);
  return false;
}
