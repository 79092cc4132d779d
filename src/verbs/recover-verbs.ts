import type { RecoverAllRequest } from "../recovery/recover-all.ts";
import type { RecoverAnswer } from "../recovery/recover.ts";
import type { Ports } from "../platform/ports/index.ts";

/** The verbs that find out what a crash left, and repair it. */
export interface RecoverVerbs {
  /** Finds what crashes, timeouts and edits have left; repairs what can be proven, asks about the rest. */
  recover(request?: RecoverAllRequest): Promise<RecoverAnswer>;
  /** The same for one plan, as far as the last clean end makes it necessary: before a run, with somebody to ask. */
  prepareRun(
    request: Omit<RecoverAllRequest, "answers" | "dryRun"> & { readonly plan: string },
  ): Promise<RecoverAnswer>;
}

export const recoverVerbs = (ports: Ports): RecoverVerbs => ({
  recover: async (request = {}) => (await import("../recovery/recover-all.ts")).recoverAll(ports, request),
  prepareRun: async (request) => (await import("../recovery/recover-all.ts")).prepareRun(ports, request),
});
