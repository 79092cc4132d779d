import { type CommitAnswer, loadCommit } from "../commits/index.ts";
import { Failure } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { loadCommitVerified, type VerifiedCommit, type VerifiedCommitRequest } from "../runs/index.ts";

export interface CommitAsSetRequest extends VerifiedCommitRequest {
  /** Why a person has it committed without the checks that the settings name. */
  readonly unverified?: string | undefined;
}

/**
 * Commits, and once more where git failed over what a power cut had left of its objects.
 *
 * Git takes an empty object for a whole one, so the same commit would fail again until something moves it aside. A commit
 * that is called a second time continues from its intent.
 */
export async function commitAsSet(
  ports: Ports,
  request: CommitAsSetRequest,
): Promise<CommitAnswer | VerifiedCommit> {
  try {
    return await commitOnce(ports, request);
  } catch (error) {
    if (!(error instanceof Failure && error.problem === "git/failed")) throw error;
    const { repairDamage } = await import("./repair/repair-damage.ts");
    if ((await repairDamage(ports)).length === 0) throw error;
    return commitOnce(ports, request);
  }
}

/** A caller that has set nothing to verify with pays nothing for it. */
async function commitOnce(ports: Ports, request: CommitAsSetRequest): Promise<CommitAnswer | VerifiedCommit> {
  if (ports.settings.tables?.verify === undefined || request.unverified !== undefined)
    return (await loadCommit()).commit(ports, request);
  return (await loadCommitVerified()).commitVerified(ports, request);
}
