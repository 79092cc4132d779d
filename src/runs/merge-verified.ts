import type { Interruption, Ports } from "../platform/ports/index.ts";
import { type MergeAnswer, type MergeRequest, mergeWorktree } from "../worktrees/index.ts";
import { baseVerifier } from "./verify/base-verifier.ts";
import type { WorkerEvent } from "./work/run-event.ts";

export interface VerifiedMergeRequest extends MergeRequest {
  readonly interruption?: Interruption | undefined;
  readonly onEvent?: ((event: WorkerEvent) => void) | undefined;
}

/** Brings a plan's branch to its base, once the check of the settings has passed on what the base gets. */
export const mergeVerified = (
  ports: Ports,
  { interruption, onEvent: report, ...request }: VerifiedMergeRequest,
): Promise<MergeAnswer> =>
  mergeWorktree(ports, request, baseVerifier(ports, { kind: "merge", interruption, report }));
