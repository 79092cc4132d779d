import { Failure } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { findGrant, findLostGrant } from "../../steps/index.ts";
import { ownerAnchor, savedStep, withoutPlanFiles } from "../../plans/index.ts";
import { keepLate } from "./keep-late.ts";
import type { CommitRequest } from "../commit.ts";
import type { Scene } from "../commit-scene.ts";
import { lateResultOf, leftBehind } from "./left-behind.ts";

/**
 * Keeps what a worker wanted to commit after its step went to another, once, and answers with the refusal.
 *
 * Nothing was committed, so nothing but the files of the worktree holds it.
 */
export async function keepLateWork(ports: Ports, request: CommitRequest, refusal: unknown): Promise<unknown> {
  if (!(refusal instanceof Failure) || !LATE.has(refusal.problem)) return refusal;
  const { worktree } = request.caller;
  const plan_path = ports.plans.locate(request.plan).key;
  const database = await ports.database();
  const lost = await database.read(async (sql) => {
    const step = await savedStep(sql, plan_path, request.step);
    const anchor = ownerAnchor(step);
    const { claim_seq } = await savedStep(sql, plan_path, anchor);
    const grant = await sql.get(findGrant, {
      plan_path,
      anchor,
      worktree: worktree.path,
      claim: request.caller.claim ?? null,
    });
    return grant?.claim != null && grant.claim < claim_seq
      ? { plan_path, anchor, claim: grant.claim }
      : undefined;
  });
  if (!lost || (await lateResultOf(ports, worktree, lost))) return refusal;
  if ((await (await ports.commits()).uncommitted(worktree, undefined)).length === 0) return refusal;
  const held = { plan: plan_path, anchor: lost.anchor, title: lost.anchor, claim: lost.claim };
  const kept = await keepLate(ports, { held, caller: { ...request.caller, claim: lost.claim } });
  const { problem, message, details, hint } = refusal;
  return new Failure(problem, message, { ...details, held_ref: kept.details["held_ref"] ?? null }, { hint });
}

const LATE: ReadonlySet<string> = new Set(["claim/fenced-off", "claim/not-owner", "step/wrong-status"]);

/**
 * Refuses to commit files of a step that went to another worker together with those of the caller's step.
 *
 * They were kept as they are, so what still says the same is not the work of this step. A worker that changed a file since has
 * made it its own; and a caller that names the paths has decided.
 */
export async function refuseLeftBehindFiles(
  ports: Ports,
  { step }: Scene,
  { caller: { worktree }, paths }: CommitRequest,
): Promise<void> {
  if (paths !== undefined) return;
  const database = await ports.database();
  const lost = await database.read((sql) =>
    sql.get(findLostGrant, {
      worktree: worktree.path,
      besides_plan: step.plan_path,
      besides_anchor: ownerAnchor(step),
    }),
  );
  const late = lost && (await lateResultOf(ports, worktree, lost));
  if (!lost || late?.commit_hash == null || late.held_ref === null) return;
  const commits = await ports.commits();
  const before = await commits.head(worktree);
  if (before === undefined) return;
  const now = await commits.tree(worktree);
  const [theirs, since, uncommitted] = await Promise.all([
    commits.changed(worktree, before, late.commit_hash),
    commits.changed(worktree, late.commit_hash, now),
    commits.uncommitted(worktree, undefined),
  ]);
  const isSince = new Set(since);
  const isTheirs = new Set(theirs.filter((path) => !isSince.has(path)));
  const mine = withoutPlanFiles(withoutPlanFiles(uncommitted, step.plan_path), lost.plan_path);
  const files = mine.filter((path) => isTheirs.has(path));
  if (files.length === 0) return;
  throw leftBehind("commit/left-behind", lost, { files, heldRef: late.held_ref });
}
