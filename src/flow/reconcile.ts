import { isHeld } from "../domain/step-machine.ts";
import type { Ports } from "../ports/index.ts";
import type { Sql } from "../ports/database.ts";
import type { TrailerEntry } from "../ports/git.ts";
import { findStep } from "../store/statements/find-step.ts";
import { lastReopening } from "../store/statements/last-reopening.ts";
import { listOpenDependencies } from "../store/statements/list-open-dependencies.ts";
import { replaceCommit } from "../store/statements/replace-commit.ts";
import type { StepRow } from "../store/statements/rows.ts";
import type { Repeatable } from "./caller.ts";
import { journal } from "./journal.ts";
import { databaseFor, planOf } from "./plan-state.ts";
import { prove } from "./prove.ts";
import { transact } from "./transact.ts";
import { settle } from "./settle.ts";

export interface ReconcileRequest extends Repeatable {
  readonly plan: string;
  /** Git wins: recorded commits are corrected, and open dependencies do not stop a completion. */
  readonly force?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
}

export interface ReconcileAnswer {
  readonly planPath: string;
  readonly dryRun: boolean;
  readonly reconciledCount: number;
  readonly reconciled: readonly { readonly stepAnchor: string; readonly gitHash: string }[];
  readonly skippedCount: number;
  readonly skippedMismatches: readonly {
    readonly stepAnchor: string;
    readonly dbHash: string;
    readonly gitHash: string;
  }[];
  /** What git suggests but does not settle, each with the reason. */
  readonly proposals: readonly Proposal[];
}

export interface Proposal {
  readonly stepAnchor: string;
  readonly gitHash: string;
  readonly reason: string;
}

/**
 * Completes steps that commits prove to be done: what was lost with a database is read back from git.
 *
 * A trailer is evidence, not truth. Commits that were reverted, that name several plans, or whose step waits for
 * another are only proposed.
 */
export async function reconcile(ports: Ports, request: ReconcileRequest): Promise<ReconcileAnswer> {
  const { key } = ports.plans.locate(request.plan);
  const database = await databaseFor(ports, key);
  await database.read((sql) => planOf(sql, key));
  const entries = await ports.git.planCommits({ refs: refsOf(ports, key) });
  const { proofs, proposals } = sift(entries, key);
  const run = async (sql: Sql) => applyProofs(sql, key, proofs, proposals, request);
  if (request.dryRun) return rehearse(database.write, run);
  const subject = [key, request.force ?? false];
  return transact(ports, { verb: "reconcile", subject, requestId: request.requestId }, run);
}

/** The plan's own branches, and whatever is checked out where the call was made. */
function refsOf(ports: Ports, key: string): readonly string[] {
  const slug = (key.split("/").at(-1) ?? key).replace(/\.[^.]*$/, "");
  const workers = Array.from({ length: 15 }, (_, index) => `refs/heads/pawl/${slug}-w${index + 2}`);
  return [...checkedOut(ports), `refs/heads/pawl/${slug}`, ...workers];
}

/** A linked worktree's HEAD is its own. One that git cannot place (moved, not repaired) has none to read. */
function checkedOut({ repository, storeIsShared, worktreePrefix }: Ports): readonly string[] {
  try {
    const known = repository.topLevel === undefined ? "main" : repository.worktree(repository.topLevel).id;
    // Git knows nothing of what tells clones apart on a server.
    const id = storeIsShared && known !== "main" ? known.slice(worktreePrefix().length) : known;
    return id === "main" ? ["HEAD"] : ["HEAD", `worktrees/${id.replace(/^worktrees\//, "")}/HEAD`];
  } catch {
    return ["HEAD"];
  }
}

/** Newest evidence first; one commit per step. */
function sift(entries: readonly TrailerEntry[], key: string) {
  const proofs = new Map<string, TrailerEntry>();
  const proposals: Proposal[] = [];
  for (const entry of entries) {
    if (!entry.plans.includes(key)) continue;
    for (const anchor of entry.steps) {
      if (proofs.has(anchor)) continue;
      if (entry.plan === undefined)
        proposals.push({
          stepAnchor: anchor,
          gitHash: entry.commit,
          reason: `doubtful: ${entry.ambiguous ?? "unclear"}`,
        });
      else if (entry.revertedBy === undefined) proofs.set(anchor, entry);
      else
        proposals.push({
          stepAnchor: anchor,
          gitHash: entry.commit,
          reason: `reverted by ${entry.revertedBy}`,
        });
    }
  }
  return { proofs, proposals: proposals.filter(({ stepAnchor }) => !proofs.has(stepAnchor)) };
}

async function applyProofs(
  sql: Sql,
  key: string,
  proofs: ReadonlyMap<string, TrailerEntry>,
  reverted: readonly Proposal[],
  { force = false, dryRun = false }: ReconcileRequest,
): Promise<ReconcileAnswer> {
  const reconciled: { stepAnchor: string; gitHash: string }[] = [];
  const mismatches: { stepAnchor: string; dbHash: string; gitHash: string }[] = [];
  const proposals: Proposal[] = [...reverted];
  const found: StepRow[] = [];
  for (const [anchor, { commit }] of proofs) {
    const step = await sql.get(findStep, { plan_path: key, anchor });
    if (step) found.push(step);
    else proposals.push({ stepAnchor: anchor, gitHash: commit, reason: "the plan has no such step" });
  }
  for (const seen of found.sort((a, b) => a.step_index - b.step_index)) {
    const gitHash = proofs.get(seen.anchor)!.commit;
    // An earlier proof in this loop may have completed it: substeps go with their step.
    const step = (await sql.get(findStep, { plan_path: key, anchor: seen.anchor })) ?? seen;
    if (step.status === "completed") {
      const differs = step.commit_hash !== null && !gitHash.startsWith(step.commit_hash);
      if (differs && !force) mismatches.push({ stepAnchor: step.anchor, dbHash: step.commit_hash, gitHash });
      else if (step.commit_hash !== gitHash) await correct(sql, step, gitHash);
      continue;
    }
    const open = force ? [] : await sql.all(listOpenDependencies, { plan_path: key, anchor: step.anchor });
    if (open.length > 0) {
      proposals.push({
        stepAnchor: step.anchor,
        gitHash,
        reason: `waits for ${open.map((row) => row.depends_on).join(", ")}`,
      });
      continue;
    }
    const doubt = force ? undefined : await doubtOf(sql, step, proofs.get(seen.anchor)!);
    if (doubt !== undefined) {
      proposals.push({ stepAnchor: step.anchor, gitHash, reason: doubt });
      continue;
    }
    if (await prove(sql, step, { commit: gitHash, reason: null }))
      reconciled.push({ stepAnchor: step.anchor, gitHash });
  }
  await settle(sql, key);
  return {
    planPath: key,
    dryRun,
    reconciledCount: reconciled.length,
    reconciled,
    skippedCount: mismatches.length,
    skippedMismatches: mismatches,
    proposals,
  };
}

/** Why a commit does not settle a step: its maker had lost the step, or a person took this very work back. */
async function doubtOf(
  sql: Sql,
  step: StepRow,
  { claim, committedAt }: TrailerEntry,
): Promise<string | undefined> {
  if (claim !== undefined && claim < step.claim_seq && isHeld(step.status)) {
    return `made under claim ${claim}; the step is at claim ${step.claim_seq}, held by ${step.claimed_by ?? "somebody"}`;
  }
  const reopened = await sql.get(lastReopening, { plan_path: step.plan_path, anchor: step.anchor });
  if (!reopened || committedAt > reopened.at) return undefined;
  return `reopened after that: ${step.reopen_reason ?? "no reason kept"}`;
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

/** Does everything and takes it back, so that a dry run says exactly what would happen. */
async function rehearse<T>(
  write: (work: (sql: Sql) => Promise<never>) => Promise<never>,
  run: (sql: Sql) => Promise<T>,
): Promise<T> {
  const rehearsal: { result?: T } = {};
  const undo = new Error("rehearsal");
  try {
    await write(async (sql) => {
      rehearsal.result = await run(sql);
      throw undo;
    });
  } catch (error) {
    if (error !== undo) throw error;
  }
  return rehearsal.result!;
}
