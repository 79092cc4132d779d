import { Failure } from "../../domain/index.ts";
import { sleep } from "../../platform/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { aimAt, type AimedMove, mergeCommit, moveTo, planTip, ROUNDS } from "../land/integrate.ts";
import {
  approve,
  clear,
  branchIsAt,
  landingLock,
  mark,
  type StepLanding,
  TooLate,
  whileSettled,
} from "../land/landing.ts";
import { followRemote, hasCommit, remoteTip, type RemoteTip } from "./remote-tip.ts";
import { settlePushed } from "./settle-pushed.ts";

/** How often a server may refuse before a person is asked, and how long the first pause is. */
const MOST_REFUSALS = 6;
const FIRST_PAUSE_MS = 100;

/** A move that is made on the remote first, then here. */
interface PushMove extends AimedMove {
  readonly remote: string;
  /** Where the remote's branch was when this was built; the push is refused when it is elsewhere. */
  readonly expected: string | undefined;
  /** What the step is completed with. */
  readonly landed: string;
  /** Whether the branch here and the remote's each have commits of their own. */
  readonly isForked: boolean;
}

/**
 * Lands a step on a remote that machines share: the push is the landing, and the branch here follows it.
 *
 * The move is written down before the push. After a crash the remote says whether it was made. A commit that was pushed
 * is never taken back: other clones build on it from then on.
 */
export async function landByPush<T>(
  ports: Ports,
  landing: StepLanding,
  completeWith: (landed: string, from?: string) => Promise<T>,
): Promise<T> {
  const { goal } = landing;
  let refusals = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const there = (await remoteTip(ports, goal.branch))!;
    const aimed = await patiently(ports, goal.branch, async () => {
      await followRemote(ports, { plan: landing.plan, branch: goal.branch }, there);
      return aim(ports, landing, there);
    });
    if (aimed.isMerge && goal.rebuilds && !aimed.isForked) throw overtaken(landing);
    // Verifying takes its time, and others may land meanwhile.
    if (aimed.isMerge) await approve(ports, landing, aimed);
    const made = await patiently(ports, goal.branch, () => make(ports, landing, aimed, completeWith));
    if (made.kind === "landed") return made.value;
    if (made.kind === "moved") continue;
    refusals += 1;
    if (refusals === MOST_REFUSALS) throw refused(landing, aimed, made.said);
    await sleep(FIRST_PAUSE_MS * 2 ** (refusals - 1));
  }
  throw new Failure("worktree/busy", `${goal.branch} kept moving while it was being pushed to.`, {
    branch: goal.branch,
  });
}

/** As long as another worker of this clone pushes, which takes as long as the network does. */
async function patiently<T>(ports: Ports, branch: string, work: () => Promise<T>): Promise<T> {
  for (let round = 1; ; round += 1)
    try {
      return await whileSettled(ports, branch, work);
    } catch (error) {
      const isBusy = error instanceof Failure && error.details["lock"] === landingLock(branch);
      if (!isBusy || round === MOST_WAITS) throw error;
    }
}

/** Of a minute each. */
const MOST_WAITS = 10;

/** The commit that holds the step, what landed here and what landed on the remote. */
async function aim(ports: Ports, landing: StepLanding, { remote, tip }: RemoteTip): Promise<PushMove> {
  const { plan, commit, goal } = landing;
  const { branch, from } = goal;
  const here = await aimAt(ports, { plan, commit, branch, from });
  const start = here?.from ?? (await planTip(ports, { plan, branch }));
  const whole = here?.to ?? start;
  const push = { branch, from: start, remote, expected: tip };
  const isForked = tip !== undefined && !(await hasCommit(ports, start, tip));
  if (!isForked || (await hasCommit(ports, whole, tip)))
    return { ...push, to: whole, isMerge: here?.isMerge ?? false, landed: here?.to ?? commit, isForked };
  if (await hasCommit(ports, tip, whole))
    return { ...push, to: tip, isMerge: false, landed: commit, isForked };
  const to = await mergeCommit(await ports.branches(), { tip, commit: whole, branch, from });
  return { ...push, to, isMerge: true, landed: to, isForked };
}

type Made<T> =
  | { readonly kind: "landed"; readonly value: T }
  /** The branch moved, here or there: all of it is built and verified anew. */
  | { readonly kind: "moved" }
  | { readonly kind: "refused"; readonly said: readonly string[] };

async function make<T>(
  ports: Ports,
  landing: StepLanding,
  move: PushMove,
  completeWith: (landed: string, from?: string) => Promise<T>,
): Promise<Made<T>> {
  if (!(await branchIsAt(ports, move))) return { kind: "moved" };
  if (!(await mark(ports, landing, move))) throw new TooLate();
  if (move.expected !== move.to) {
    const refusal = await push(ports, landing, move);
    if (refusal) return refusal;
  }
  await follow(ports, move);
  try {
    return { kind: "landed", value: await completeWith(move.landed, move.from) };
  } catch (error) {
    // A failure about the step, such as an open item, leaves the move written down: it is completed with the next call.
    if (!(error instanceof TooLate)) throw error;
    await settlePushed(ports, { ...landing, move, worktree: landing.caller.worktree.path });
    throw new TooLate(true);
  }
}

/** Undefined when the remote has the commit. */
async function push(
  ports: Ports,
  landing: StepLanding,
  { remote, branch, to, expected }: PushMove,
): Promise<Exclude<Made<never>, { kind: "landed" }> | undefined> {
  const branches = await ports.branches();
  const { path: worktree } = landing.caller.worktree;
  const isHere = ports.files.exists(worktree);
  const outcome = await branches.push({
    remote,
    branch,
    commit: to,
    expected,
    ...(isHere ? { worktree } : {}),
  });
  if (outcome.kind === "pushed") return undefined;
  // Asked first: while the remote cannot say that it does not have the commit, the move stays written down.
  const now = await remoteTip(ports, branch);
  if (now?.tip !== to) await clear(ports, { ...landing, move: { branch, from: "", to } });
  return now?.tip === expected ? { kind: "refused", said: outcome.said } : { kind: "moved" };
}

/** The branch here follows the remote's. Where a checkout is in the way, the next landing brings it there. */
async function follow(ports: Ports, { branch, from, to }: PushMove): Promise<void> {
  if (from === to) return;
  await moveTo(ports, { branch, from, to }).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.problem === "git/stopped") throw error;
  });
}

const overtaken = ({ anchor, goal, commit }: StepLanding): Failure =>
  new Failure("landing/overtaken", `Others landed on ${goal.branch} since ${anchor} was verified.`, {
    anchor,
    branch: goal.branch,
    commit,
  });

const refused = (
  { anchor, commit }: StepLanding,
  { remote, branch }: PushMove,
  said: readonly string[],
): Failure =>
  new Failure("remote/refused", `${remote} refused ${anchor} on ${branch}: ${said.join(" / ")}`, {
    anchor,
    remote,
    branch,
    commit,
    output: said,
  });
