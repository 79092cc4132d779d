import { type Instant, isHeld, leaseEnd, OPTIONAL, otherHost } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { databaseFor, listDependencies, listSteps, savedPlan } from "../plans/index.ts";
import type { StepRow } from "../platform/index.ts";
import { ownerIsGone } from "./choose-step.ts";
import { asEntered, leaseClockOf, type StoppedRunner } from "../sessions/index.ts";
import { stoppedHolder } from "./why-nothing.ts";

export interface StepLine {
  readonly anchor: string;
  readonly title: string;
  readonly stepIndex: number;
}

export interface ReadyAnswer {
  readonly planPath: string;
  readonly ready: readonly StepLine[];
  readonly blocked: readonly (StepLine & {
    readonly blockedBy: readonly string[];
    readonly reason: string;
    readonly note: string | null;
  })[];
  /** The plan can be done without it; a person may ask for it. */
  readonly optional: readonly StepLine[];
  readonly held: readonly (StepLine & {
    readonly heldBy: string | null;
    /** The machine it is held on, where that is another one than this. */
    readonly otherHost: string | null;
    readonly until: Instant | null;
    readonly claim: number;
    /** Where its runner is stopped, as by Ctrl-Z. */
    readonly stopped: StoppedRunner | null;
  })[];
  /** Held, but the owner is gone: the next claim may take it. */
  readonly expiredClaim: readonly (StepLine & {
    readonly heldBy: string | null;
    /** The machine it is held on, where that is another one than this. */
    readonly otherHost: string | null;
    readonly until: Instant | null;
    readonly claim: number;
  })[];
  readonly completed: readonly (StepLine & {
    readonly completedAt: Instant | null;
    readonly commitHash: string | null;
  })[];
}

/** Where each top-level step stands: what can be claimed, and what the others wait for. */
export async function ready(ports: Ports, request: { readonly plan: string }): Promise<ReadyAnswer> {
  const { key } = ports.plans.locate(request.plan);
  const database = await databaseFor(asEntered(ports), key);
  return database.read(async (sql) => {
    await savedPlan(sql, key);
    const moment = leaseClockOf(ports, sql);
    const steps = await sql.all(listSteps, { plan_path: key });
    const edges = await sql.all(listDependencies, { plan_path: key });
    const done = new Set(steps.filter((step) => step.status === "completed").map((step) => step.anchor));
    const openOf = new Map<string, string[]>();
    for (const edge of edges) {
      if (!done.has(edge.depends_on))
        openOf.set(edge.step_anchor, [...(openOf.get(edge.step_anchor) ?? []), edge.depends_on]);
    }
    const groups = { ready: [], blocked: [], optional: [], held: [], expiredClaim: [], completed: [] } as {
      -readonly [K in Exclude<keyof ReadyAnswer, "planPath">]: ReadyAnswer[K][number][];
    };
    for (const step of steps.filter((row) => row.parent_anchor === null)) {
      const line = { anchor: step.anchor, title: step.title, stepIndex: step.step_index };
      const held = {
        ...line,
        heldBy: step.claimed_by,
        otherHost: otherHost(step, moment),
        until: leaseEnd(step, moment),
        claim: step.claim_seq,
      };
      if (step.status === "completed") {
        groups.completed.push({ ...line, completedAt: step.completed_at, commitHash: step.commit_hash });
      } else if (isHeld(step.status)) {
        if (await ownerIsGone(sql, step, moment)) groups.expiredClaim.push(held);
        else groups.held.push({ ...held, stopped: await stoppedHolder(sql, step, moment) });
      } else if (step.status === "pending" && step.unmet_deps === 0) {
        groups.ready.push(line);
      } else if (step.status === "on_hold" && step.block_reason === OPTIONAL) {
        groups.optional.push(line);
      } else {
        groups.blocked.push({
          ...line,
          blockedBy: openOf.get(step.anchor) ?? [],
          reason: reasonOf(step),
          note: step.block_note,
        });
      }
    }
    return { planPath: key, ...groups };
  });
}

const reasonOf = (step: StepRow): string =>
  step.status === "pending" ? "dependencies" : (step.block_reason ?? step.status);
