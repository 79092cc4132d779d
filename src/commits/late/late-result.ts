import { Failure } from "../../domain/errors.ts";
import { plural } from "../../domain/plural.ts";
import type { Sql } from "../../platform/ports/database.ts";
import type { Ports } from "../../platform/ports/index.ts";
import type { Worktree } from "../../platform/ports/repository.ts";
import { findGrant } from "../../steps/sql/find-grant.ts";
import { findStep } from "../../plans/sql/find-step.ts";
import { holdLateResult } from "../sql/hold-late-result.ts";
import { insertLateResult } from "../sql/insert-late-result.ts";
import type { LostGrant } from "../../steps/sql/find-lost-grant.ts";
import { listStepLateResults } from "../sql/list-step-late-results.ts";
import type { LateResultRow, StepRow } from "../../platform/rows.ts";
import type { Caller } from "../../steps/caller.ts";
import { journal } from "../../journal/journal.ts";
import { ownerAnchor } from "../../plans/plan-state.ts";

export interface LateResult {
  readonly anchor: string;
  readonly claim: number;
  readonly ref: string;
  readonly commit: string | undefined;
}

/**
 * Keeps what a former owner brings after the step went to somebody else.
 *
 * Refusing the state change protects the new owner; throwing the result away would destroy good work of an agent that
 * was only slow. A caller that never held the step is a stranger, and nothing of it is kept.
 */
export async function keepLateResult(
  sql: Sql,
  step: StepRow,
  caller: Caller,
  commit: string | undefined,
  refusal: Failure,
): Promise<LateResult | undefined> {
  if (!LATE.has(refusal.problem)) return undefined;
  const { plan_path, anchor } = step;
  const grant = await sql.get(findGrant, {
    plan_path,
    anchor: ownerAnchor(step),
    worktree: caller.worktree.path,
    claim: caller.claim ?? null,
  });
  const claim = caller.claim ?? grant?.claim;
  const owner = await sql.get(findStep, { plan_path, anchor: ownerAnchor(step) });
  // The newest number is not late: its caller only came in the wrong order.
  if (!grant || claim === undefined || claim === null || !owner || claim >= owner.claim_seq) return undefined;
  const ref = lateRef(plan_path, anchor, claim);
  await sql.run(insertLateResult, {
    plan_path,
    anchor,
    claim,
    worktree: caller.worktree.path,
    commit_hash: commit ?? null,
    held_ref: null,
    now: sql.now,
  });
  await journal(sql, {
    event: "late-result-kept",
    plan: plan_path,
    anchor,
    claim,
    worktree: caller.worktree.path,
    session: caller.session,
    detail: { commit: commit ?? null },
  });
  return { anchor, claim, ref, commit };
}

/** Where the commit of a late result is kept. */
export const lateRef = (plan: string, anchor: string, claim: number): string =>
  `refs/pawl/late/${refPart(plan)}/${refPart(anchor)}/${claim}`;

/** Whatever a former owner hears first: that it is late is told by its number. */
const LATE: ReadonlySet<string> = new Set([
  "claim/fenced-off",
  "claim/not-owner",
  "step/wrong-status",
  "step/dependencies-open",
  "plan/changed",
]);

/**
 * Keeps the commit of a late result from being collected, and says where.
 *
 * After the record, not before: only the transaction knows that the result is late. A kill in between leaves a record
 * without a ref, and the commit where its owner made it; `doctor` finds those.
 */
export async function holdLateCommit(
  ports: Ports,
  plan: string,
  late: LateResult,
): Promise<string | undefined> {
  if (late.commit === undefined) return undefined;
  const { commit, anchor, claim } = late;
  const ref = await ports.git.holdCommit(late.ref, commit).catch((error: unknown) => {
    // A commit that git does not have cannot be held; the record stays.
    if (error instanceof Failure && error.problem === "commit/invalid") return undefined;
    throw error;
  });
  if (ref === undefined) return undefined;
  const database = await ports.database();
  await database.write(async (sql) => {
    const held = { plan_path: plan, anchor, claim, commit_hash: commit, held_ref: ref };
    if ((await sql.run(holdLateResult, held)) === 0) return;
    await journal(sql, { event: "late-result-held", plan, anchor, claim, detail: { commit, ref } });
  });
  return ref;
}

/** What was kept of a claim that a worktree lost, the last of it. */
export async function lateResultOf(
  ports: Ports,
  worktree: Worktree,
  { plan_path, anchor, claim }: LostGrant,
): Promise<LateResultRow | undefined> {
  const database = await ports.database();
  const late = await database.read((sql) => sql.all(listStepLateResults, { plan_path, anchor }));
  return late.findLast((one) => one.claim === claim && one.worktree === worktree.path);
}

const MOST_FILES = 50;
const FEW_FILES = 5;

/** For whoever would take the files of a step that went to somebody else for their own. */
export function leftBehind(
  problem: "desk/left-behind" | "commit/left-behind",
  { plan_path, anchor, claim }: LostGrant,
  { files, heldRef }: { readonly files: readonly string[]; readonly heldRef: string | null },
): Failure {
  const some = files.slice(0, FEW_FILES).join(", ");
  const verb = files.length === 1 ? "belongs" : "belong";
  return new Failure(
    problem,
    `${plural(files.length, "uncommitted file")} here ${verb} to ${anchor} of ${plan_path}, which went to somebody else: ${some}.`,
    { plan_path, anchor, claim, held_ref: heldRef, files: files.slice(0, MOST_FILES) },
  );
}

/** Names of refs allow less than paths do. */
const refPart = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/\.{2,}/g, ".")
    .replace(/^[.-]+|(?:\.lock|[.-])+$/g, "") || "x";
