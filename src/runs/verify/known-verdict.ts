import type { Sql } from "../../platform/ports/index.ts";
import {
  checksKey,
  CHECKLIST,
  type Evidence,
  findTreeVerdict,
  insertTreeVerdict,
  type StepCheck,
  TESTS_CHECK,
  type Verdict,
} from "../../verification/index.ts";
import { type ClaimedStep, lastFreshClaim } from "../../steps/index.ts";
import type { Worker } from "../work/worker.ts";

export interface CheckedTree {
  readonly tree: string;
  readonly checks: readonly StepCheck[];
  /** As in `TreeToVerify`. */
  readonly isMerged: boolean;
}

/** What the checks said when they passed for this step on exactly this tree. */
export async function passedBefore(
  { ports, session }: Worker,
  { plan, anchor }: ClaimedStep,
  { tree, checks, isMerged }: CheckedTree,
): Promise<readonly Evidence[] | undefined> {
  const key = checksKey(checks);
  if (key === undefined) return undefined;
  const step = { plan_path: plan, anchor };
  const database = await ports.database();
  const found = await database.read(async (sql) => {
    const fresh = (await sql.get(lastFreshClaim, step))?.claim ?? 0;
    const worktree_id = isMerged ? null : session.worktree.id;
    return sql.get(findTreeVerdict, { ...step, tree, checks: key, worktree_id, fresh });
  });
  if (found?.outcome !== "passed") return undefined;
  return aboutTree(JSON.parse(found.evidence) as readonly Evidence[]);
}

/** Items and tests are the step's own: they say nothing about the tree. */
const aboutTree = (evidence: readonly Evidence[]): readonly Evidence[] =>
  evidence.filter(({ checked }) => checked !== CHECKLIST && checked !== TESTS_CHECK);

/** Keeps what the checks said about a tree, in a transaction of the caller's. */
export async function keepTreeVerdict(
  sql: Sql,
  { session }: Worker,
  { plan, anchor, claim }: ClaimedStep,
  { verdict, checks }: { readonly verdict: Verdict; readonly checks: readonly StepCheck[] },
): Promise<void> {
  const key = checksKey(checks);
  const evidence = aboutTree(verdict.evidence);
  if (key === undefined || evidence.length === 0) return;
  // A step can be sent back for its tests although its tree passed.
  const isPassed = verdict.evidence.at(-1)?.checked === TESTS_CHECK;
  const said = isPassed ? PASSED : { outcome: verdict.outcome, because: verdict.because };
  await sql.run(insertTreeVerdict, {
    tree: verdict.tree,
    checks: key,
    place: evidence.every(({ where }) => where === "clean") ? "clean" : "in-place",
    worktree_id: session.worktree.id,
    kind: "step",
    plan_path: plan,
    anchor,
    claim,
    session_id: session.id,
    ...said,
    evidence: JSON.stringify(evidence),
    now: sql.now,
  });
}

const PASSED = { outcome: "passed", because: "the checks passed" } as const;
