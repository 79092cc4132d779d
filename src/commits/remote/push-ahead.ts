import { Failure } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { planTip } from "../land/integrate.ts";
import { whileSettled } from "../land/landing.ts";
import { followRemote, hasCommit, hasNoLanding, knownRemoteTip, remoteTip } from "./remote-tip.ts";

/**
 * Pushes what landed here and no push has carried: steps from before `remote` was set, or the base that a sync brought.
 *
 * Answers with why the remote does not have it; undefined when it has all. It asks the remote only where something may
 * be missing there.
 */
export async function pushAhead(
  ports: Ports,
  at: { readonly plan: string; readonly branch: string },
): Promise<string | undefined> {
  const known = await knownRemoteTip(ports, at.branch);
  if (known === undefined || known.tip === (await planTip(ports, at))) return undefined;
  try {
    const there = (await remoteTip(ports, at.branch))!;
    return await whileSettled(ports, at.branch, async () => {
      await followRemote(ports, at, there);
      const here = await planTip(ports, at);
      if (here === there.tip || (await hasNoLanding(ports, at.branch, here))) return undefined;
      const name = `${there.remote}/${at.branch}`;
      if (there.tip !== undefined && !(await hasCommit(ports, here, there.tip)))
        return `${at.branch} and ${name} each have commits of their own; the next step that lands brings them together`;
      const branches = await ports.branches();
      const push = { remote: there.remote, branch: at.branch, commit: here, expected: there.tip };
      const outcome = await branches.push(push);
      return outcome.kind === "pushed" ? undefined : `${name} refused a push: ${outcome.said.join(" / ")}`;
    });
  } catch (error) {
    if (!(error instanceof Failure) || error.problem !== "remote/unreachable") throw error;
    return `${error.message} ${at.branch} is ahead of it, and the next run pushes that`;
  }
}
