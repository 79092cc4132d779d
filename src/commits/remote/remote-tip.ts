import { baseCommit } from "../../platform/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { moveTo, planTip } from "../land/integrate.ts";

/** Where a branch is on the remote that machines share commits through. */
export interface RemoteTip {
  readonly remote: string;
  /** Undefined where the remote does not have the branch. */
  readonly tip: string | undefined;
}

/** Asks the remote of the settings; undefined without one. Fails with `remote/unreachable`. */
export async function remoteTip(ports: Ports, branch: string): Promise<RemoteTip | undefined> {
  const { remote } = ports.settings;
  if (remote === undefined) return undefined;
  return { remote, tip: await (await ports.branches()).fetchBranch(remote, branch) };
}

/** What is known of it since the remote was asked last. */
export async function knownRemoteTip(ports: Ports, branch: string): Promise<RemoteTip | undefined> {
  const { remote } = ports.settings;
  if (remote === undefined) return undefined;
  const ref = `refs/remotes/${remote}/${branch}`;
  return { remote, tip: (await (await ports.branches()).commits([ref])).get(ref) };
}

/** Whether a commit leads back to another one. */
export async function hasCommit(ports: Ports, tip: string, commit: string): Promise<boolean> {
  return tip === commit || (await (await ports.branches()).mergeBase(tip, commit)) === commit;
}

/**
 * Brings the plan's branch to where the remote has it, where nothing is lost by that: it is behind, or has nothing that
 * its base lacks. The caller holds the landing lock.
 *
 * What another clone has pushed was verified there.
 */
export async function followRemote(
  ports: Ports,
  at: { readonly plan: string; readonly branch: string },
  { tip }: RemoteTip,
): Promise<void> {
  if (tip === undefined) return;
  const here = await planTip(ports, at);
  if (here === tip || (await hasCommit(ports, here, tip))) return;
  const isBehind = await hasCommit(ports, tip, here);
  if (!isBehind && !(await hasNoLanding(ports, at.branch, here))) return;
  await moveTo(ports, { branch: at.branch, from: here, to: tip });
}

/** Whether the base has all of a branch: no step has landed on it yet. */
export async function hasNoLanding(ports: Ports, branch: string, here: string): Promise<boolean> {
  const branches = await ports.branches();
  const mark = (await branches.planBranch(branch))?.mark;
  const base = mark && (await baseCommit(branches, mark.base));
  return base !== undefined && hasCommit(ports, base, here);
}
