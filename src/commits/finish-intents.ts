import { Failure, isHeld, isOwnerGone, type LeaseClock, type SignedStep } from "../domain/index.ts";
import type { Ports, Sql, TrailerEntry } from "../platform/ports/index.ts";
import { closeIntent } from "./sql/close-intent.ts";
import { findIntent } from "./sql/find-intent.ts";
import { findSession, isDead, leaseClockOf, storeIdOf } from "../sessions/index.ts";
import { findStep, headOf, planRefs, signedUnder } from "../plans/index.ts";
import { listOpenIntents } from "./sql/list-open-intents.ts";
import type { IntentRow, StepRow } from "../platform/index.ts";
import { type Bound, boundWork, rememberWork } from "./bound-work.ts";
import { landAndComplete } from "./land/land-and-complete.ts";
import { noteUnverified } from "./note-unverified.ts";
import { whileSettled, whyUnverified } from "./land/landing.ts";

export interface FinishIntentsRequest {
  /** Says what would be done, and does nothing. */
  readonly dryRun?: boolean | undefined;
}

export interface IntentReport {
  readonly planPath: string;
  readonly anchor: string;
  readonly claim: number;
  readonly worktree: string;
  /** What it can be finished with. */
  readonly commit: string | null;
  /**
   * `completed`: its commit was found and the step completed with it. `closed`: nothing was left to do. `open`: it is
   * left as it is, for its owner or for a person.
   */
  readonly outcome: "completed" | "closed" | "open";
  readonly because: string;
}

/**
 * Finishes commits that were begun by owners who are gone.
 *
 * A living owner finishes its own by calling again. What is done here is what that call would have done, and only
 * where a signed commit proves that there is something to finish.
 */
export async function finishIntents(
  ports: Ports,
  request: FinishIntentsRequest = {},
): Promise<readonly IntentReport[]> {
  const database = await ports.database();
  const open = await database.read(async (sql) => {
    const moment = leaseClockOf(ports, sql);
    const cases: Case[] = [];
    for (const intent of await sql.all(listOpenIntents, {})) {
      const { plan_path, anchor } = intent;
      const step = await sql.get(findStep, { plan_path, anchor });
      const owner =
        step?.parent_anchor == null
          ? step
          : await sql.get(findStep, { plan_path, anchor: step.parent_anchor });
      const isGone = owner !== undefined && (await isOwnerGoneNow(ports, sql, owner, moment));
      cases.push({ intent, step, owner, isGone });
    }
    return cases;
  });
  const reports: IntentReport[] = [];
  for (const one of open) reports.push(await settleOrTell(ports, one, request.dryRun ?? false));
  return reports;
}

interface Case {
  readonly intent: IntentRow;
  readonly step: StepRow | undefined;
  readonly owner: StepRow | undefined;
  readonly isGone: boolean;
}

/** As claims decide it; and a session of this machine that no command has noticed to be dead yet. */
export async function isOwnerGoneNow(
  ports: Ports,
  sql: Sql,
  owner: StepRow,
  moment: LeaseClock,
): Promise<boolean> {
  const { session_id: id } = owner;
  const session = id === null ? undefined : await sql.get(findSession, { id });
  // Of other machines' processes nothing can be seen from here.
  const isOver = session !== undefined && session.host_id === moment.hostId && isDead(ports, session);
  return isOwnerGone(owner, isOver ? undefined : session, moment);
}

/** One that cannot be finished does not stop the others. */
async function settleOrTell(ports: Ports, one: Case, dryRun: boolean): Promise<IntentReport> {
  try {
    return await settleIntent(ports, one, dryRun);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return reportOf(one.intent, one.intent.commit_hash, "open", error.message);
  }
}

const reportOf = (
  { plan_path, anchor, claim, worktree }: IntentRow,
  commit: string | null,
  outcome: IntentReport["outcome"],
  because: string,
): IntentReport => ({ planPath: plan_path, anchor, claim, worktree, commit, outcome, because });

async function settleIntent(ports: Ports, seen: Case, dryRun: boolean): Promise<IntentReport> {
  const one = dryRun || seen.intent.branch === null ? seen : await afterLanding(ports, seen);
  const { intent, step, owner } = one;
  const found = intent.commit_hash === null ? await findCommit(ports, intent) : undefined;
  const commit = intent.commit_hash ?? found?.commit ?? null;
  const report = (outcome: IntentReport["outcome"], because: string): IntentReport =>
    reportOf(intent, commit, outcome, because);
  const close = async (because: string): Promise<IntentReport> => {
    if (!dryRun) await closeWith(ports, intent, commit);
    return report("closed", because);
  };
  if (!step || !owner) return close("the plan no longer has this step");
  if (step.status === "completed") return close("the step is completed");
  if (isOwners(one)) {
    if (!one.isGone) return report("open", "its owner may still be working");
    if (commit === null) return report("open", "its owner is gone and nothing was committed");
    const unverified = await whyUnverified(ports, intent, commit);
    if (unverified !== undefined) return reportOf(intent, null, "open", unverified);
  } else {
    if (commit === null && isPushedElsewhere(ports, intent))
      return report("open", "another machine was pushing it; what it pushed is asked of the remote");
    if (commit === null) return close("the step went on, and nothing had been committed");
    if (dryRun) return report("closed", "its claim is over; its commit is kept for a person to adopt");
  }
  if (dryRun) return report("open", "a commit is there; it can be finished");
  if (found) await noteWork(ports, found);
  return finishOne(ports, one, commit, report);
}

/**
 * Whether another clone was about to push a commit. This one has never seen it: only the remote knows whether it arrived,
 * and the process that asks the remote completes the step with it (`followShared`).
 */
const isPushedElsewhere = (ports: Ports, { branch, worktree_id }: IntentRow): boolean =>
  ports.settings.remote !== undefined && branch !== null && !worktree_id.startsWith(storeIdOf(ports, ""));

/** Whether the claim of an intent still holds the step. */
const isOwners = ({ intent, owner }: Case): boolean =>
  owner !== undefined && owner.claim_seq === intent.claim && isHeld(owner.status);

/** A branch that was about to move when a crash came: whether the step is completed with that shows now. */
async function afterLanding(ports: Ports, one: Case): Promise<Case> {
  const { plan_path, anchor, claim, branch, worktree_id } = one.intent;
  const isAtIt = isOwners(one) && !one.isGone;
  if (branch === null || isAtIt || !worktree_id.startsWith(storeIdOf(ports, ""))) return one;
  await whileSettled(ports, branch, async () => undefined);
  const database = await ports.database();
  return database.read(async (sql) => ({
    ...one,
    intent: (await sql.get(findIntent, { plan_path, anchor, claim })) ?? one.intent,
    step: await sql.get(findStep, { plan_path, anchor }),
  }));
}

/**
 * A commit that this clone signed for exactly this claim, on the worktree's branch or where the plan's work goes.
 *
 * The claim settles it, not what the step says by now: this store gave the number, and the plan may have been read
 * again since.
 */
async function findCommit(ports: Ports, intent: IntentRow): Promise<Found | undefined> {
  const { plan_path: plan, anchor: step, claim, worktree_id } = intent;
  const refs = [...headOf(worktree_id), ...(await planRefs(ports, plan))];
  const signedIn = (entry: TrailerEntry) =>
    entry.revertedBy === undefined && entry.plans.includes(plan) && entry.steps.includes(step)
      ? signedUnder(ports.signer, entry, { plan, step, claim })
      : undefined;
  const entries = (await ports.git.planCommits({ refs })).filter((entry) => signedIn(entry) !== undefined);
  const [content = null] = entries.map((entry) => signedIn(entry)?.content);
  const bindingOf = await boundWork(ports, plan, entries, new Map([[step, content]]));
  const best = (work: Bound["work"]) => entries.find((entry) => bindingOf(entry, step)?.work === work);
  // A call that died right after it had committed could not note any more what it had signed.
  const found = best("this") ?? best("unknown");
  const signed = found && signedIn(found);
  return found && signed && { commit: found.commit, signed };
}

interface Found {
  readonly commit: string;
  readonly signed: SignedStep;
}

/** What the call that died could not note any more. */
async function noteWork(ports: Ports, { commit, signed }: Found): Promise<void> {
  const [change = ""] = await ports.git.changes([{ commit }]);
  rememberWork(ports, signed, { commit, change });
}

/** As the owner would have done it. An owner that was displaced meanwhile gets its result kept as a late one. */
async function finishOne(
  ports: Ports,
  { intent, owner }: Case,
  commit: string,
  report: (outcome: IntentReport["outcome"], because: string) => IntentReport,
): Promise<IntentReport> {
  const { plan_path, anchor, claim, worktree: path, worktree_id: id } = intent;
  // From a folder that has a file of the same name, that one would be meant.
  if (ports.plans.locate(plan_path).key !== plan_path)
    return report("open", `call it from the top of the repository: ${plan_path} is another file here`);
  let isLate = false;
  try {
    const { integrationFor } = await import("./land/integrate.ts");
    const goal = await integrationFor(ports, plan_path, commit);
    await landAndComplete(ports, {
      operand: plan_path,
      plan: plan_path,
      anchor,
      // The session of the owner that is gone: a session that took the step meanwhile is another one.
      caller: { worktree: { path, id }, claim, session: owner?.session_id ?? undefined },
      claim,
      commit,
      // What a worker of a run committed counts once the plan's branch has it; until then no worker could build on it. A
      // person who had it committed unverified has decided about the merge as well.
      goal: goal && intent.unverified ? { ...goal, approve: async () => undefined } : goal,
      async alongside(sql, answer) {
        isLate = answer === undefined;
        await noteUnverified(sql, intent);
        await sql.run(closeIntent, { plan_path, anchor, claim, commit_hash: commit, now: sql.now });
      },
    });
    return report("completed", "its commit was there");
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return report(isLate ? "closed" : "open", error.message);
  }
}

async function closeWith(
  ports: Ports,
  { plan_path, anchor, claim }: IntentRow,
  commit_hash: string | null,
): Promise<void> {
  const database = await ports.database();
  await database.write((sql) =>
    sql.run(closeIntent, { plan_path, anchor, claim, commit_hash, now: sql.now }),
  );
}
