import { Failure } from "../../domain/index.ts";
import { baseCommit } from "../../platform/index.ts";
import type { Branches } from "../../platform/ports/index.ts";
import { pushAhead } from "../../commits/index.ts";
import { journal } from "../../journal/index.ts";
import { syncWorktree } from "../../worktrees/index.ts";
import type { Tally } from "../finish/run-answer.ts";
import { baseVerifier } from "../verify/base-verifier.ts";
import { canCheckClean } from "../verify/check-folder.ts";
import { type TreeCheck, verifyTree } from "../verify/verify-tree.ts";
import type { Worker } from "../work/worker.ts";

/** What keeps the base out of the plan's branch, and is for people: the run continues without it. */
const REPORTED: ReadonlySet<string> = new Set([
  "sync/conflicts",
  "sync/rejected",
  "sync/not-checkable",
  "remote/refused",
  "remote/unreachable",
  "merge/in-the-way",
  "merge/unrelated",
]);

/** Steps land while both are verified; after so many the next step tries again. */
const MOST_VERIFIED = 3;

/**
 * Brings a base that has moved into the plan's branch, between two steps.
 *
 * Once for each commit of the base, whichever worker comes first: the others continue meanwhile. A conflict, or a check that
 * fails on both together, is reported when it first exists, and the run continues.
 */
export async function syncBase(worker: Worker, tally: Tally): Promise<void> {
  const { ports, integration, settings, report } = worker;
  if (integration === undefined || !settings.landing.sync) return;
  const branches = await ports.branches();
  const base = branches.marks().get(integration)?.base;
  const commit = base === undefined ? undefined : await baseCommit(branches, base);
  if (base === undefined || commit === undefined || tally.syncedTo === commit) return;
  tally.syncedTo = commit;
  if (await has(branches, integration, commit)) return;
  const run = async (check: TreeCheck) => {
    if (await canCheckClean(worker)) return verifyTree(worker, check);
    throw new Failure(
      "sync/not-checkable",
      `${check.argv.join(" ")} needs files that a clean checkout does not have, such as installed packages.`,
      { branch_name: integration, base_branch: base, check: check.argv.join(" ") },
    );
  };
  try {
    const verifier = baseVerifier(ports, { kind: "sync", run });
    const request = { target: integration, mostVerified: MOST_VERIFIED };
    const answer = await syncWorktree(ports, request, verifier);
    if (!answer.synced) return;
    report({
      event: "note",
      text: `${base} has moved: ${integration} has it now (${answer.commitHash!.slice(0, 12)})`,
    });
    // Where the remote does not take it now, the next landing brings it there.
    await pushAhead(ports, { plan: worker.plan!, branch: integration });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.problem === "worktree/busy") tally.syncedTo = undefined;
    else if (REPORTED.has(error.problem)) await reportFailed(worker, { base, commit, error });
    else if (error.problem !== "merge/cut-off") throw error;
  }
}

/** Whether a branch has a commit. */
async function has(branches: Branches, branch: string, commit: string): Promise<boolean> {
  const ref = `refs/heads/${branch}`;
  const tip = (await branches.commits([ref])).get(ref);
  return tip === undefined || tip === commit || (await branches.mergeBase(tip, commit)) === commit;
}

interface Failed {
  readonly base: string;
  /** Where the base is. */
  readonly commit: string;
  readonly error: Failure;
}

async function reportFailed(worker: Worker, { base, commit, error }: Failed): Promise<void> {
  const { ports, plan, integration, session } = worker;
  worker.warn(integration!, `${base} has moved and does not get here: ${error.message}`);
  const database = await ports.database();
  const detail = { ...error.details, base_commit: commit, problem: error.problem, because: error.message };
  await database.write((sql) =>
    journal(sql, {
      event: "branch-sync-failed",
      ...(plan === undefined ? {} : { plan }),
      session: session.id,
      detail,
    }),
  );
}
