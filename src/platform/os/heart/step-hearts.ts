import type { ClaimToKeep, Hearts } from "../../ports/hearts.ts";
import { startHeart } from "./start-heart.ts";
import { threadFile } from "./thread-file.ts";

/** What the thread is told: which claim, and around which folder. */
export interface StepBeatData {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly claim: ClaimToKeep;
}

/** Hearts for claimed steps of the repository around a folder. */
export function stepHearts(where: Pick<StepBeatData, "cwd" | "env">): Hearts {
  return {
    start(claim) {
      const data: StepBeatData = { ...where, claim };
      const { leaseSeconds, graceMs } = claim;
      return startHeart({ threadFile: threadFile(), leaseMs: leaseSeconds * 1000, graceMs, data });
    },
  };
}
