import type { Hearts } from "../../ports/hearts.ts";
import { startHeart } from "./start-heart.ts";
import type { StepBeatData } from "./step-beat.ts";
import { threadFile } from "./thread-file.ts";

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
