import type { Interruption, Ports } from "../platform/ports/index.ts";
import { type MergeAnswer, type MergeRequest, mergeWorktree } from "../worktrees/index.ts";
import { commitStatus, type StatusCommit } from "../commits/index.ts";
import { baseVerifier } from "./verify/base-verifier.ts";
import type { WorkerEvent } from "./work/run-event.ts";

export interface VerifiedMergeRequest extends MergeRequest {
  readonly interruption?: Interruption | undefined;
  readonly onEvent?: ((event: WorkerEvent) => void) | undefined;
}

/** Brings a plan's branch to its base, once the check of the settings has passed on what the base gets. */
export async function mergeVerified(
  ports: Ports,
  { interruption, onEvent: report, ...request }: VerifiedMergeRequest,
): Promise<MergeAnswer & { readonly statusCommit?: string }> {
  const verifier = baseVerifier(ports, { kind: "merge", interruption, report });
  const answer = await mergeWorktree(ports, request, verifier);
  if (request.dryRun) return answer;
  const { commit, problem } = await statusOf(ports, answer);
  const warning =
    problem === undefined ? [] : [`the status in the plan's files is not committed: ${problem}`];
  return {
    ...answer,
    warnings: [...answer.warnings, ...warning],
    ...(commit === undefined ? {} : { statusCommit: commit }),
  };
}

/** The steps have landed where the plan's own files are: what these say of them goes along. Also what a kill left. */
async function statusOf(ports: Ports, { branchName, baseBranch }: MergeAnswer): Promise<StatusCommit> {
  const { mainTopLevel } = ports.repository;
  const plan = (await (await ports.branches()).planBranch(branchName))?.mark?.plan;
  if (ports.settings.commit_status !== true || plan === undefined || mainTopLevel === undefined) return {};
  const branch = await (await ports.commits()).branch(ports.repository.worktree(mainTopLevel));
  return branch === baseBranch ? commitStatus(ports, plan) : {};
}
