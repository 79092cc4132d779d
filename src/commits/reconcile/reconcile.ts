import { isHeld } from "../../domain/index.ts";
import type { Database, Ports, Sql } from "../../platform/ports/index.ts";
import { findLateResult } from "../sql/find-late-result.ts";
import {
  completeByProof,
  countOpenWork,
  databaseFor,
  findStep,
  insertPlanRead,
  planRefs,
  transact,
  updatePlanStatus,
} from "../../plans/index.ts";
import { lastReopening, listOpenDependencies } from "../../steps/index.ts";
import { findIntent } from "../sql/find-intent.ts";
import { noteUnverified } from "../note-unverified.ts";
import { replaceCommit } from "../sql/replace-commit.ts";
import type { StepRow } from "../../platform/index.ts";
import { boundWork } from "../bound-work.ts";
import { journal, recall, rehearse, type Repeatable } from "../../journal/index.ts";

import { landProved, type ProofLandings, whyLeftToOwner } from "./land-proved.ts";
import type { ApproveMerge } from "../land/integrate.ts";
import { planToWeigh } from "./plan-to-weigh.ts";
import { stillOpen, unsaid } from "./open-proposals.ts";
import {
  CONTENT_DOUBTS,
  type TrailerEvidence,
  type Proposal,
  type Weighed,
  weighLostPlans,
  weighTrailers,
} from "./weigh-trailers.ts";

export type { Proposal } from "./weigh-trailers.ts";

export interface ReconcileRequest extends Repeatable {
  readonly plan: string;
  /** Git wins: recorded commits are corrected, and open dependencies do not stop a completion. */
  readonly force?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  /** A person vouches for trailers that this clone did not sign. */
  readonly trustUnsigned?: boolean | undefined;
}

export interface ReconcileAnswer {
  readonly planPath: string;
  readonly dryRun: boolean;
  readonly reconciledCount: number;
  readonly reconciled: readonly { readonly stepAnchor: string; readonly gitHash: string }[];
  readonly skippedCount: number;
  readonly skippedMismatches: readonly Mismatch[];
  /** Commits that were rewritten since they were recorded, by a rebase or the like, with what they are now. */
  readonly followed: readonly Mismatch[];
  /** What git suggests but does not settle, each with the reason. */
  readonly proposals: readonly Proposal[];
}

export interface Mismatch {
  readonly stepAnchor: string;
  readonly dbHash: string;
  readonly gitHash: string;
}

/**
 * Completes steps that commits prove to be done: what was lost with a database is read back from git. A plan without
 * state gets it.
 *
 * A trailer that this clone signed is proof; any other is evidence that a person must weigh. Commits that were
 * reverted, whose step waits for another, or that a person has reopened since are only proposed.
 */
export async function reconcile(
  ports: Ports,
  request: ReconcileRequest,
  approve?: ApproveMerge,
): Promise<ReconcileAnswer> {
  const { key } = ports.plans.locate(request.plan);
  const database = request.dryRun ? await databaseFor(ports, key) : await ports.database({ create: true });
  const refs = await planRefs(ports, key);
  const entries = await ports.git.planCommits({ refs });
  const hasCommits = entries.length > 0;
  const { unsaved, contents } = await planToWeigh(ports, database, request.plan, { hasCommits });
  const bindingOf = await boundWork(ports, key, entries, contents);
  const trustUnsigned = request.trustUnsigned ?? false;
  const told = weighTrailers(entries, key, bindingOf, { contents, trustUnsigned });
  const isLost = (plan: string) => plan !== key && !ports.plans.existsAnywhere(plan);
  const weighed = { ...told, lost: weighLostPlans(entries, isLost) };
  const rewritten = await findRewritten(ports, database, key, weighed, refs);
  const applying = { key, request, rewritten };
  const run = async (sql: Sql, landings: ProofLandings | undefined) => {
    if (unsaved) await insertPlanRead(sql, ports, unsaved);
    return applyEvidence(ports, sql, weighed, { ...applying, landings });
  };
  const rehearsed = (landings?: ProofLandings) => rehearse(database.write, (sql) => run(sql, landings));
  const subject = [key, request.force ?? false, request.trustUnsigned ?? false];
  const call = { verb: "reconcile", subject, requestId: request.requestId };
  const before = request.dryRun ? undefined : await database.read((sql) => recall(sql, call));
  if (before) return before.answer as ReconcileAnswer;
  const planned = await rehearsed();
  const { dryRun = false } = request;
  const landings = await landProved(ports, key, planned.reconciled, { dryRun, approve });
  if (dryRun) return rehearsed(landings);
  // With state in which nothing is done, the next run would do again what these commits say was done.
  if (unsaved && planned.reconciledCount === 0 && planned.proposals.length > 0) return planned;
  return transact(ports, call, (sql) => run(sql, landings));
}

interface Applying {
  readonly key: string;
  readonly request: ReconcileRequest;
  readonly rewritten: ReadonlySet<string>;
  /** Undefined where it is only found out what could be completed. */
  readonly landings: ProofLandings | undefined;
}

/** Recorded commits that nothing leads to any more, of steps for which git has a signed one. */
async function findRewritten(
  ports: Ports,
  database: Database,
  key: string,
  { evidence }: Weighed,
  refs: readonly string[],
): Promise<ReadonlySet<string>> {
  const recorded = await database.read(async (sql) => {
    const hashes: string[] = [];
    for (const [anchor, found] of evidence) {
      const hash = (await sql.get(findStep, { plan_path: key, anchor }))?.commit_hash;
      const isSigned = found.some(({ claim }) => claim !== undefined);
      if (hash && isSigned && !found.some(({ commit }) => commit.startsWith(hash))) hashes.push(hash);
    }
    return hashes;
  });
  return new Set(recorded.length === 0 ? [] : await ports.git.unreachable(recorded, refs));
}

async function applyEvidence(
  ports: Ports,
  sql: Sql,
  { evidence, proposals, lost }: Weighed & { readonly lost: readonly Proposal[] },
  applying: Applying,
): Promise<ReconcileAnswer> {
  const { key, request } = applying;
  const findings: Finding[] = [];
  const found: StepRow[] = [];
  for (const [anchor, [best]] of evidence) {
    const step = await sql.get(findStep, { plan_path: key, anchor });
    if (step) found.push(step);
    else findings.push(propose(anchor, best!.commit, "unknown-step", "the plan has no such step"));
  }
  for (const seen of found.sort((a, b) => a.step_index - b.step_index)) {
    // An earlier proof in this loop may have completed it: substeps go with their step.
    const step = (await sql.get(findStep, { plan_path: key, anchor: seen.anchor })) ?? seen;
    findings.push(await weighStep(ports, sql, step, evidence.get(step.anchor)!, applying));
  }
  await updatePlanStatus(sql, key);
  const all = <K extends Finding["kind"]>(kind: K) =>
    findings.filter((finding): finding is Finding & { kind: K } => finding.kind === kind);
  const mismatches = all("mismatch").map(({ mismatch }) => mismatch);
  const reconciled = all("proved").map(({ stepAnchor, gitHash }) => ({ stepAnchor, gitHash }));
  return {
    planPath: key,
    dryRun: request.dryRun ?? false,
    reconciledCount: reconciled.length,
    reconciled,
    skippedCount: mismatches.length,
    skippedMismatches: mismatches,
    followed: all("followed").map(({ mismatch }) => mismatch),
    proposals: [
      ...(await stillOpen(sql, key, proposals)),
      ...all("proposal").map(({ proposal }) => proposal),
      ...(await unsaid(sql, key, lost, [...evidence.keys(), ...proposals.map((one) => one.stepAnchor)])),
    ],
  };
}

type Finding =
  | { readonly kind: "proved"; readonly stepAnchor: string; readonly gitHash: string }
  | { readonly kind: "known" }
  | { readonly kind: "mismatch" | "followed"; readonly mismatch: Mismatch }
  | { readonly kind: "proposal"; readonly proposal: Proposal };

const propose = (stepAnchor: string, gitHash: string, kind: Proposal["kind"], reason: string): Finding => ({
  kind: "proposal",
  proposal: { stepAnchor, gitHash, kind, reason },
});

async function weighStep(
  ports: Ports,
  sql: Sql,
  step: StepRow,
  evidence: readonly TrailerEvidence[],
  { request: { force = false }, rewritten, landings }: Applying,
): Promise<Finding> {
  const { anchor } = step;
  const owner = await ownerOf(sql, step);
  // The highest number that was ever given; 0 where all numbers were lost with a database.
  const given = Math.max(step.claim_seq, owner.claim_seq);
  const best = evidence.find(({ claim }) => claim === undefined || given === 0 || claim <= given);
  if (!best) {
    const [{ commit, claim }] = evidence as [TrailerEvidence];
    const reason = `claim ${claim} was never given; the step is at ${given}`;
    return propose(anchor, commit, "unknown-claim", reason);
  }
  if (step.status === "completed") return compareRecorded(sql, step, evidence, best, force, rewritten);
  const doubt = force ? undefined : await doubtOf(sql, step, owner, best);
  if (doubt) return propose(anchor, best.commit, ...doubt);
  const { commit, claim } = best;
  const landing = landings?.get(anchor);
  const reason =
    landings && landing?.commit !== commit
      ? "it can be completed only since now: run the command again"
      : (landing?.problem ?? (await whyLeftToOwner(ports, sql, step, owner)));
  if (reason !== undefined) return propose(anchor, commit, "not-landed", reason);
  const isProved = await completeByProof(sql, step, {
    commit,
    reason: null,
    ...(claim === undefined ? {} : { claim }),
  });
  const intent = claim && (await sql.get(findIntent, { plan_path: step.plan_path, anchor, claim }));
  if (isProved && intent && intent.closed_at === null) await noteUnverified(sql, intent);
  return isProved ? { kind: "proved", stepAnchor: anchor, gitHash: commit } : { kind: "known" };
}

/** Who holds a step's claim: the step itself, or the step of a substep. */
async function ownerOf(sql: Sql, step: StepRow): Promise<StepRow> {
  if (step.parent_anchor === null) return step;
  return (await sql.get(findStep, { plan_path: step.plan_path, anchor: step.parent_anchor })) ?? step;
}

/** Why a commit does not settle a step although it speaks for it. */
async function doubtOf(
  sql: Sql,
  { plan_path, anchor, reopen_reason }: StepRow,
  owner: StepRow,
  best: TrailerEvidence,
): Promise<[Proposal["kind"], string] | undefined> {
  const late = best.claim && (await sql.get(findLateResult, { plan_path, anchor, claim: best.claim }));
  if (late)
    return ["late", `refused under claim ${best.claim}, which was over; a person decides what it is worth`];
  const doubt = CONTENT_DOUBTS[best.content];
  if (doubt && !(await isVouchedFor(sql, { plan_path, anchor }, best))) return [doubt.kind, doubt.reason];
  const open = await sql.all(listOpenDependencies, { plan_path, anchor });
  if (open.length > 0) return ["waits", `waits for ${open.map((row) => row.depends_on).join(", ")}`];
  if (best.named !== undefined && best.named < owner.claim_seq && isHeld(owner.status)) {
    const holder = owner.claimed_by ?? "another worker";
    return [
      "displaced",
      `made under claim ${best.named}; the step is at claim ${owner.claim_seq}, held by ${holder}`,
    ];
  }
  const work = isHeld(owner.status) ? await sql.get(countOpenWork, { plan_path, anchor }) : undefined;
  if (work && work.items + work.substeps > 0)
    return [
      "open-work",
      `held by ${owner.claimed_by ?? "another worker"} with open items: its owner completes it`,
    ];
  const reopening = await sql.get(lastReopening, { plan_path, anchor });
  if (!reopening || isNewer(best, reopening)) return undefined;
  // A reset or a hold says something about the work under its number; a commit without one is no work of that claim.
  if (reopening.event !== "reopened" && best.claim === undefined) return undefined;
  const since = `after claim ${reopening.claim ?? "?"}`;
  const reasons = {
    reopened: `completed, then reopened: ${reopen_reason ?? "no reason kept"}`,
    reset: `a person put the step back ${since}`,
    held: `a person put the step on hold ${since}`,
    "begun-anew": `the plan was given new state ${since}, and its steps started over`,
  };
  return ["reopened", reasons[reopening.event]];
}

/**
 * Where a commit does not say what its step said: it is this step's if this store wrote down that the claim commits,
 * or if a person trusts what nothing can prove.
 */
async function isVouchedFor(
  sql: Sql,
  step: { readonly plan_path: string; readonly anchor: string },
  { content, claim }: TrailerEvidence,
): Promise<boolean> {
  if (content !== "unknown") return false;
  return claim === undefined || (await sql.get(findIntent, { ...step, claim })) !== undefined;
}

/** By the number where there is one: an amended or squashed commit is young, and its work is not. */
const isNewer = (
  { claim, committedAt }: TrailerEvidence,
  reopening: { readonly claim: number | null; readonly at: string },
): boolean =>
  claim === undefined || reopening.claim === null ? committedAt > reopening.at : claim > reopening.claim;

/** The database wins over git, unless a person says otherwise or what it knows of was rewritten since. */
async function compareRecorded(
  sql: Sql,
  step: StepRow,
  evidence: readonly TrailerEvidence[],
  best: TrailerEvidence,
  force: boolean,
  rewritten: ReadonlySet<string>,
): Promise<Finding> {
  const { anchor, commit_hash: dbHash } = step;
  // What was done for other words is no news of this step.
  if (best.content === "other" && !force) return { kind: "known" };
  const same = dbHash === null ? best : evidence.find(({ commit }) => commit.startsWith(dbHash));
  const gitHash = (same ?? best).commit;
  if (dbHash === gitHash) return { kind: "known" };
  if (same || dbHash === null || force) {
    await correct(sql, step, gitHash);
    return { kind: "known" };
  }
  const mismatch = { stepAnchor: anchor, dbHash, gitHash };
  if (best.claim === undefined || !rewritten.has(dbHash)) return { kind: "mismatch", mismatch };
  await correct(sql, step, gitHash);
  return { kind: "followed", mismatch };
}

async function correct(
  sql: Sql,
  { plan_path, anchor, commit_hash }: StepRow,
  gitHash: string,
): Promise<void> {
  await sql.run(replaceCommit, { plan_path, anchor, commit_hash: gitHash });
  await journal(sql, {
    event: "commit-corrected",
    plan: plan_path,
    anchor,
    detail: { from: commit_hash, to: gitHash },
  });
}
