import { Failure } from "../../domain/index.ts";
import type { PlanContent, PlanLocation, Ports } from "../../platform/ports/index.ts";
import type { ReadPlan } from "../save.ts";

/** The plan as it is committed in the main checkout; undefined where no commit there has it. */
export async function committedPlan(ports: Ports, location: PlanLocation): Promise<PlanContent | undefined> {
  if (ports.repository.mainTopLevel === undefined) return undefined;
  return ports.plans.readCommitted(location, await ports.git.committedFiles(location.key));
}

export interface CountingPlan {
  readonly read: ReadPlan;
  /** What the committed plan is known by; null where there is none that can be read. */
  readonly committedHash: string | null;
}

/**
 * The plan that counts when a plan is saved: the committed one, where it can be read, else the one that lies there.
 *
 * Changes that are not committed are reported. They count once they are, or when a person says so.
 */
export async function countingPlan(ports: Ports, lying: ReadPlan): Promise<CountingPlan> {
  const committed = await readCommitted(ports, lying);
  if (committed === undefined) return { read: lying, committedHash: null };
  if (committed.hash !== lying.hash)
    ports.notice?.(
      new Failure("plan/uncommitted", `${lying.key} has uncommitted changes: the committed plan counts.`, {
        plan_path: lying.key,
      }),
    );
  return { read: committed.hash === lying.hash ? lying : committed, committedHash: committed.hash };
}

/** What the committed plan is known by, for who takes the one that lies there. */
export const committedHashOf = async (ports: Ports, lying: ReadPlan): Promise<string | null> =>
  (await readCommitted(ports, lying))?.hash ?? null;

/** Undefined where no commit has it, or what it has is no plan. */
async function readCommitted(ports: Ports, { key, plan }: ReadPlan): Promise<ReadPlan | undefined> {
  try {
    const content = await committedPlan(ports, ports.plans.find(key));
    if (content === undefined) return undefined;
    const { readPlanContent } = await import("../save.ts");
    const read = await readPlanContent(ports, key, content, plan.format);
    return read.plan.diagnostics.some(({ severity }) => severity === "error") ? undefined : read;
  } catch (error) {
    if (error instanceof Failure && error.problem !== "git/stopped") return undefined;
    throw error;
  }
}
