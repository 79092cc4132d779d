import type { Checkout, CommitNote } from "../ports/commits.ts";
import type { Ports } from "../ports/index.ts";
import { findIntent } from "../store/statements/find-intent.ts";
import type { IntentRow, StepRow } from "../store/statements/rows.ts";
import type { CommitRequest } from "./commit.ts";
import { ownerAnchor, stepOf } from "./plan-state.ts";
import { isSigned } from "./signed-step.ts";
import { hasText, stepMessage } from "./step-message.ts";

/** Everything a commit is decided from: the step and its owner, what was begun under this claim, what is checked out. */
export interface Scene {
  readonly step: StepRow;
  readonly owner: StepRow;
  /** The number of the claim that the commit is made under. */
  readonly claim: number;
  readonly intent: IntentRow | undefined;
  readonly text: string;
  readonly checkout: Checkout;
}

/** Git is asked while the database opens: neither needs the other. */
export async function survey(ports: Ports, key: string, request: CommitRequest): Promise<Scene> {
  const [checkout, stored] = await Promise.all([
    ports.commits().then((commits) => commits.look(request.caller.worktree)),
    readStored(ports, key, request),
  ]);
  return { ...stored, checkout };
}

async function readStored(
  ports: Ports,
  key: string,
  request: CommitRequest,
): Promise<Omit<Scene, "checkout">> {
  const { caller, message } = request;
  const database = await ports.database();
  return database.read(async (sql) => {
    const step = await stepOf(sql, key, request.step);
    const owner = step.parent_anchor === null ? step : await stepOf(sql, key, ownerAnchor(step));
    const claim = caller.claim ?? owner.claim_seq;
    const intent = await sql.get(findIntent, { plan_path: key, anchor: step.anchor, claim });
    const isMine = intent?.worktree_id === caller.worktree.id;
    const text = hasText(message) ? message : await stepMessage(sql, step);
    return { step, owner, claim, intent: isMine ? intent : undefined, text };
  });
}

/** What is to be done now, given how far an earlier call came. */
export type Course =
  /** Nothing was committed yet. */
  | { readonly kind: "commit" }
  /** The commit is there; the rest is not. */
  | { readonly kind: "finish"; readonly commit: string }
  /** All of it happened; only the answer was lost. */
  | { readonly kind: "answer"; readonly commit: string };

/**
 * Tells a call that was cut off from a new one.
 *
 * A commit with this claim's trailers was made by the call that left the intent, so it is finished and never made
 * again. Once a commit is on record and more was changed since, the owner means another commit.
 */
export async function chooseCourse(ports: Ports, scene: Scene, request: CommitRequest): Promise<Course> {
  const { intent, checkout, step } = scene;
  const fresh: Course = { kind: "commit" };
  if (!intent || (intent.closed_at !== null && intent.commit_hash === null)) return fresh;
  const own = ownCommit(ports, scene, intent.parent);
  if (intent.closed_at === null && intent.commit_hash === null && own)
    return { kind: "finish", commit: own.commit };
  const changes = await (await ports.commits()).uncommitted(request.caller.worktree, request.paths);
  const isAllDone = intent.closed_at !== null && intent.commit_hash !== null && step.status === "completed";
  // The completion itself may have ticked a box in the plan, which lies in this worktree too.
  const isOurs = (path: string) => path === step.plan_path || path.startsWith(`${step.plan_path}/`);
  if (isAllDone && changes.every(isOurs)) return { kind: "answer", commit: intent.commit_hash };
  if (changes.length > 0) return fresh;
  if (intent.commit_hash !== null) return { kind: "finish", commit: own?.commit ?? intent.commit_hash };
  // A hook took the trailers away, and the call died before it could say so.
  const [head] = checkout.recent;
  const follows = head !== undefined && (head.parents[0] ?? null) === intent.parent;
  return follows ? { kind: "finish", commit: head.commit } : fresh;
}

/** The commit of this claim among those that follow another one, by its signature. */
export function ownCommit(
  { signer }: Ports,
  { step, claim, checkout: { recent } }: Pick<Scene, "step" | "claim" | "checkout">,
  parent: string | null,
): CommitNote | undefined {
  const end = parent === null ? -1 : recent.findIndex(({ commit }) => commit === parent);
  const followers = end === -1 ? recent : recent.slice(0, end);
  const signed = { plan: step.plan_path, step: step.anchor, claim };
  return followers.find((note) => saysStep(note, signed) && isSigned(signer, note, signed));
}

export const saysStep = (
  { plans, steps, claims }: CommitNote,
  { plan, step, claim }: { readonly plan: string; readonly step: string; readonly claim: number },
): boolean => plans.includes(plan) && steps.includes(step) && claims.includes(claim);
