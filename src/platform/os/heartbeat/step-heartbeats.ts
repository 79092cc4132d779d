import type { ClaimToKeep, Heartbeats } from "../../ports/index.ts";
import { startHeartbeat } from "./start-heartbeat.ts";
import { threadFile } from "./thread-file.ts";

/** What the thread gets: which claim, and around which folder. */
export interface StepHeartbeatData {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly claim: ClaimToKeep;
}

/** Heartbeats for claimed steps of the repository around a folder. */
export function stepHeartbeats(where: Pick<StepHeartbeatData, "cwd" | "env">): Heartbeats {
  return {
    start(claim) {
      const data: StepHeartbeatData = { ...where, claim };
      const { leaseSeconds, graceMs } = claim;
      return startHeartbeat({ threadFile: threadFile(), leaseMs: leaseSeconds * 1000, graceMs, data });
    },
  };
}
