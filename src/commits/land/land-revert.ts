import { Failure } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import type { Move } from "../move-branch.ts";
import { moveTo } from "./integrate.ts";
import { whileSettled } from "./landing.ts";

/**
 * Moves the plan's branch to a commit on top of it that belongs to no claim; false when it is elsewhere by now.
 *
 * With a remote, that has it first.
 */
export const landRevert = (ports: Ports, move: Move): Promise<boolean> =>
  whileSettled(ports, move.branch, async () => {
    const { remote } = ports.settings;
    if (remote !== undefined && !(await push(ports, remote, move))) return false;
    return moveTo(ports, move);
  });

async function push(ports: Ports, remote: string, { branch, from, to }: Move): Promise<boolean> {
  const branches = await ports.branches();
  const there = await branches.fetchBranch(remote, branch);
  if (there !== undefined && there !== from && there !== to) {
    throw new Failure(
      "landing/overtaken",
      `${remote} has commits on ${branch} that are not here yet; nothing was pushed.`,
      { branch, remote, commit: to },
    );
  }
  if (there === to) return true;
  const outcome = await branches.push({ remote, branch, commit: to, expected: there });
  if (outcome.kind === "pushed") return true;
  throw new Failure("remote/refused", `${remote} refused ${branch}: ${outcome.said.join(" ")}`, {
    branch,
    remote,
    commit: to,
  });
}
