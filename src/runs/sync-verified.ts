import type { Interruption, Ports } from "../platform/ports/index.ts";
import { type SyncAnswer, type SyncRequest, syncWorktree } from "../worktrees/index.ts";
import { baseVerifier } from "./verify/base-verifier.ts";
import type { WorkerEvent } from "./work/run-event.ts";

export interface VerifiedSyncRequest extends Pick<SyncRequest, "target" | "dryRun"> {
  readonly interruption?: Interruption | undefined;
  readonly onEvent?: ((event: WorkerEvent) => void) | undefined;
}

/** Brings the base into a plan's branch, once the check of the settings has passed on both together. */
export const syncVerified = (
  ports: Ports,
  { target, dryRun, interruption, onEvent: report }: VerifiedSyncRequest,
): Promise<SyncAnswer> =>
  syncWorktree(ports, { target, dryRun }, baseVerifier(ports, { kind: "sync", interruption, report }));
