import { familyOf, type TrailerFamily } from "../domain/index.ts";
import type { Checkout, CommitNote, Ports, Recent } from "../platform/ports/index.ts";
import { findIntent } from "./sql/find-intent.ts";
import { findMadeIntent } from "./sql/find-made-intent.ts";
import type { IntentRow, StepRow } from "../platform/index.ts";
import type { CommitRequest } from "./commit.ts";
import { ownerAnchor, savedStep, signedUnder } from "../plans/index.ts";
import { hasText, stepMessage } from "./step-message.ts";

/** Everything a commit is decided from: the step and its owner, what was begun under this claim, what is checked out. */
export interface Scene {
  readonly step: StepRow;
  readonly owner: StepRow;
  /** The number of the claim that the commit is made under. */
  readonly claim: number;
  readonly intent: IntentRow | undefined;
  /** What the commit is to say; asked for only where one is made. */
  readonly text: () => Promise<string>;
  readonly checkout: Checkout;
  /** The family that the plan's commits have their trailers of; undefined when none was made yet. */
  readonly family: TrailerFamily | undefined;
}

export async function survey(ports: Ports, key: string, request: CommitRequest): Promise<Scene> {
  const commits = await ports.commits();
  return {
    ...(await readStored(ports, key, request)),
    checkout: await commits.checkout(request.caller.worktree),
  };
}

async function readStored(
  ports: Ports,
  key: string,
  request: CommitRequest,
): Promise<Omit<Scene, "checkout">> {
  const { caller, message } = request;
  const database = await ports.database();
  return database.read(async (sql) => {
    const step = await savedStep(sql, key, request.step);
    const owner = step.parent_anchor === null ? step : await savedStep(sql, key, ownerAnchor(step));
    const claim = caller.claim ?? owner.claim_seq;
    const intent = await sql.get(findIntent, { plan_path: key, anchor: step.anchor, claim });
    const isMine = intent?.worktree_id === caller.worktree.id;
    const text = hasText(message) ? async () => message : await stepMessage(sql, step);
    const made = await sql.get(findMadeIntent, { plan_path: key });
    const family = made && familyOf(made.message);
    return { step, owner, claim, intent: isMine ? intent : undefined, text, family };
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
  const { intent, step } = scene;
  const fresh: Course = { kind: "commit" };
  if (!intent || (intent.closed_at !== null && intent.commit_hash === null)) return fresh;
  const commits = await ports.commits();
  const recent = await commits.recent(request.caller.worktree);
  const own = ownCommit(ports, scene, recent, intent.parent);
  if (intent.closed_at === null && intent.commit_hash === null && own)
    return { kind: "finish", commit: own.commit };
  const changes = await commits.uncommitted(request.caller.worktree, request.paths);
  const isAllDone = intent.closed_at !== null && intent.commit_hash !== null && step.status === "completed";
  // The completion itself may have ticked a box in the plan, which lies in this worktree too.
  const isOurs = (path: string) => path === step.plan_path || path.startsWith(`${step.plan_path}/`);
  if (isAllDone && changes.every(isOurs)) return { kind: "answer", commit: intent.commit_hash };
  if (changes.length > 0) return fresh;
  if (intent.commit_hash !== null) return { kind: "finish", commit: own?.commit ?? intent.commit_hash };
  // A hook took the trailers away, and the call died before it could say so.
  const [head] = recent.notes;
  const follows = head !== undefined && (head.parents[0] ?? null) === intent.parent;
  return follows ? { kind: "finish", commit: head.commit } : fresh;
}

/** The commit of this claim among those that follow another one, by its signature. */
export function ownCommit(
  { signer }: Ports,
  { step, claim }: Pick<Scene, "step" | "claim">,
  { notes }: Recent,
  parent: string | null,
): CommitNote | undefined {
  const end = parent === null ? -1 : notes.findIndex(({ commit }) => commit === parent);
  const followers = end === -1 ? notes : notes.slice(0, end);
  const signed = { plan: step.plan_path, step: step.anchor, claim };
  return followers.find((note) => saysStep(note, signed) && signedUnder(signer, note, signed) !== undefined);
}

export const saysStep = (
  { plans, steps, claims }: CommitNote,
  { plan, step, claim }: { readonly plan: string; readonly step: string; readonly claim: number },
): boolean => plans.includes(plan) && steps.includes(step) && claims.includes(claim);
