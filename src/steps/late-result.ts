import { Failure } from "../domain/index.ts";
import type { Ports, Sql } from "../platform/ports/index.ts";
import type { StepRow } from "../platform/index.ts";
import { journal } from "../journal/index.ts";
import { findStep, ownerAnchor } from "../plans/index.ts";
import type { Caller } from "./caller.ts";
import { findGrant } from "./sql/find-grant.ts";
import { holdLateResult } from "./sql/hold-late-result.ts";
import { insertLateResult } from "./sql/insert-late-result.ts";

export interface LateResult {
  readonly anchor: string;
  readonly claim: number;
  readonly ref: string;
  readonly commit: string | undefined;
}

/**
 * Keeps what a former owner brings after the step went to another worker.
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

/** Whatever a former owner is answered first: its number says that it is late. */
const LATE: ReadonlySet<string> = new Set([
  "claim/fenced-off",
  "claim/not-owner",
  "step/wrong-status",
  "step/dependencies-open",
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

/** Names of refs allow less than paths do. */
const refPart = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/\.{2,}/g, ".")
    .replace(/^[.-]+|(?<!\.lock|[.-])(?:\.lock|[.-])+$/g, "") || "x";
