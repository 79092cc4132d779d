import { pushAhead } from "../commits/index.ts";
import type { Interruption, Ports } from "../platform/ports/index.ts";
import { type SyncAnswer, type SyncRequest, syncWorktree } from "../worktrees/index.ts";
import { baseVerifier } from "./verify/base-verifier.ts";
import type { WorkerEvent } from "./work/run-event.ts";

export interface VerifiedSyncRequest extends Pick<SyncRequest, "target" | "dryRun"> {
  readonly interruption?: Interruption | undefined;
  readonly onEvent?: ((event: WorkerEvent) => void) | undefined;
}

/** Brings the base into a plan's branch, once the check of the settings has passed on both together, and to the remote. */
export async function syncVerified(
  ports: Ports,
  { target, dryRun, interruption, onEvent: report }: VerifiedSyncRequest,
): Promise<SyncAnswer> {
  const verifier = baseVerifier(ports, { kind: "sync", interruption, report });
  const answer = await syncWorktree(ports, { target, dryRun }, verifier);
  const { planPath: plan, branchName: branch, synced } = answer;
  const why = synced && plan !== null ? await pushAhead(ports, { plan, branch }) : undefined;
  if (why !== undefined) report?.({ event: "note", text: why });
  return answer;
}
