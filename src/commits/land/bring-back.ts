import { Failure } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { type ApproveMerge, integrate, moveTo, recordRestored } from "./integrate.ts";
import { whileSettled } from "./landing.ts";
import type { StepsOffBranch } from "./steps-off-branch.ts";

/**
 * Brings completed steps back to their plan's branch, and answers with the commit that it is at then.
 *
 * It moves forward by compare-and-swap where one commit has everything; otherwise the steps are merged into it, verified
 * as every merge is.
 */
export async function bringBack(
  ports: Ports,
  { plan, branch, tip, steps, forward }: StepsOffBranch,
  approve: ApproveMerge,
): Promise<string> {
  if (forward !== undefined) {
    const isMoved = await whileSettled(ports, branch, async () =>
      tip === undefined
        ? (await ports.branches()).advance(branch, "", forward, "completed steps brought back")
        : moveTo(ports, { branch, from: tip, to: forward }),
    );
    if (!isMoved)
      throw new Failure("worktree/busy", `${branch} moved while its steps were brought back.`, { branch });
    await recordRestored(ports, { plan, branch, commit: forward });
    return forward;
  }
  let at = tip ?? "";
  for (const { commit, anchor } of steps.toReversed())
    at = await integrate(ports, { plan, branch, commit, from: anchor }, approve);
  await recordRestored(ports, { plan, branch, commit: at });
  return at;
}
