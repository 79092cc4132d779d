import { Failure } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { moveTo } from "../land/integrate.ts";
import type { Move } from "../move-branch.ts";
import { hasCommit, remoteTip, type RemoteTip } from "./remote-tip.ts";

/**
 * Moves a plan's branch to a commit that belongs to no step: on the remote that machines share first, then here. False when
 * it is elsewhere by now, here or there.
 *
 * After a crash in between, the branch here follows the remote's. A remote that does not have the branch yet gets all of it
 * with the first step that lands.
 */
export async function moveShared(ports: Ports, move: Move, there: RemoteTip | undefined): Promise<boolean> {
  if (there?.tip === undefined) return moveTo(ports, move);
  const { branch, from, to } = move;
  const { remote, tip: expected } = there;
  if (!(await hasCommit(ports, from, expected))) throw forked(move, there);
  const outcome = await (await ports.branches()).push({ remote, branch, commit: to, expected });
  if (outcome.kind !== "pushed") {
    const now = await remoteTip(ports, branch);
    if (now?.tip !== expected) return false;
    throw new Failure(
      "remote/refused",
      `${remote} refused ${to.slice(0, 12)} on ${branch}: ${outcome.said.join(" / ")}`,
      { remote, branch, commit: to, output: outcome.said },
    );
  }
  // What is in the way here stays; the next landing brings the branch to where the remote has it.
  await moveTo(ports, { branch, from, to }).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.problem === "git/stopped") throw error;
  });
  return true;
}

const forked = ({ branch }: Move, { remote }: RemoteTip): Failure =>
  new Failure(
    "worktree/busy",
    `${branch} has commits that ${remote} does not have, and the other way round; the next step that lands joins them.`,
    { branch_name: branch, remote },
  );
