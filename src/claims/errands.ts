import { loadFinishIntents } from "../commits/index.ts";
import { loadGrow } from "../plans/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { loadEnter } from "../sessions/index.ts";
import type { Caller } from "../steps/index.ts";

interface Asked {
  readonly plan: string;
  readonly caller: Caller;
  readonly step?: string | undefined;
}

/** What must happen before a step can be handed out. It cannot happen inside the transaction that finds it out. */
export type Errand = "enter" | "grow" | "check-lost-work" | "finish-commits";

/** Loaded only when they are needed: nearly no claim has one, and git costs more than the claim. */
export const ERRANDS: Readonly<
  Record<Errand, (ports: Ports, request: Asked) => Promise<readonly string[] | void>>
> = {
  enter: async (ports) => {
    await (await loadEnter()).enter(ports);
  },
  // An edited plan stops no work: what it adds comes in, and a step whose work has begun keeps its text.
  grow: async (ports, { plan }) => (await (await loadGrow()).grow(ports, ports.plans.locate(plan))).notes,
  "check-lost-work": async (ports, { caller: { worktree }, plan, step }) =>
    (await import("./refuse-files-of-lost-step.ts")).refuseFilesOfLostStep(ports, {
      worktree,
      plan: ports.plans.locate(plan).key,
      step,
    }),
  // The last owner may have committed before it died; then the step is done, and the state does not know it.
  "finish-commits": async (ports) => {
    await (await loadFinishIntents()).finishIntents(ports);
  },
};
