import type { Finding } from "../../recovery/rules/index.ts";
import type { RunCallbacks } from "../finish/run-answer.ts";
import type { ScanExtent } from "./sentinel.ts";

/** What a run needs of the room above it, so its caller brings it along. */
export interface RunRecovery {
  /** Repairs what a power cut left of git's files, and says what came of it; refuses where a person must decide. */
  readonly repairDamage: (plan: string | undefined) => Promise<readonly string[]>;
  /** Repairs what the last run of the plan left, as far as that can be proven or is decided. */
  readonly beforeRun: (
    extent: ScanExtent,
    request: RecoveryDecider & Omit<RunCallbacks, "onBroken"> & { readonly plan: string },
  ) => Promise<{
    readonly open: readonly { readonly found: string }[];
    /** What the run continues because no one could be asked. */
    readonly continued: readonly { readonly found: string }[];
  }>;
}

/** Who decides what recovery cannot, and hears of its repairs. */
export interface RecoveryDecider {
  readonly ask?: ((finding: Finding, others: readonly Finding[]) => Promise<string | undefined>) | undefined;
  readonly tell?: ((text: string) => void) | undefined;
}
