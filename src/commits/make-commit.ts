import { Failure, HELD_STATUSES, saysMachine, shellWord } from "../domain/index.ts";
import type { MadeCommit, Ports, Unstage } from "../platform/ports/index.ts";
import { closeIntent } from "./sql/close-intent.ts";
import { openIntent } from "./sql/open-intent.ts";
import type { CommitRequest } from "./commit.ts";
import { ownCommit, type Scene } from "./commit-scene.ts";
import { journal } from "../journal/index.ts";
import { refuseLeftBehindFiles } from "./late/late-work.ts";
import { begin, ownerParams, whyRefused } from "../steps/index.ts";
import { changedHands, lockedStep } from "../plans/index.ts";
import { hasText, stepTrailers } from "./step-message.ts";

/** A commit that is there, whichever call made it. */
export interface Made {
  readonly made: MadeCommit;
  readonly resumed: boolean;
}

/** Writes down what is about to be committed, commits it, and reads back what came of it. */
export async function makeCommit(ports: Ports, scene: Scene, request: CommitRequest): Promise<Made> {
  const commits = await ports.commits();
  const { worktree } = request.caller;
  refuseUnmerged(scene, request);
  await refuseLeftBehindFiles(ports, scene, request);
  const message = await composed(ports, scene, request);
  // The intent first: a refused call has touched nothing, and of several calls at once only one stages.
  await openFor(ports, scene, request, message);
  const { paths, allowEmpty = false } = request;
  const unstage = await commits
    .stage(worktree, paths)
    .catch((error: unknown) => giveUp(ports, scene, request, error));
  if (request.tree !== undefined && (await commits.staged(worktree)) !== request.tree) {
    await unstage();
    return giveUp(ports, scene, request, treeChanged(request.tree));
  }
  const making = await commits.make(worktree, { message, paths, allowEmpty });
  if (!making.made) return whyNotMade(ports, scene, request, { said: making.said, unstage });
  const made = await readBack(ports, scene, request, scene.checkout.head ?? null);
  await commits.flush(worktree, made);
  return { made, resumed: false };
}

/** Nothing is committed, or brought anywhere, that was not verified. */
export const treeChanged = (verified: string, details: { readonly committed?: string } = {}): Failure =>
  new Failure("run/tree-changed", "The files are not those that were verified.", { verified, ...details });

export function refuseUnmerged({ checkout: { unmerged } }: Scene, { caller }: CommitRequest): void {
  if (unmerged.length === 0) return;
  throw new Failure(
    "commit/refused",
    `${caller.worktree.path} has unresolved conflicts: ${unmerged.slice(0, 5).join(", ")}.`,
    { worktree: caller.worktree.path, unmerged },
    {
      hint: "Resolve them and `git add` each file, then run the same command again; you still hold the step.",
    },
  );
}

/** What the commit will say: the words of the plan, and those of an agent that had committed by itself. */
async function composed(ports: Ports, scene: Scene, request: CommitRequest): Promise<string> {
  const { ownWords = [], message } = request;
  if (ownWords.length > 0 && !hasText(message))
    try {
      const [only] = ownWords;
      const lines = ownWords.map((words) => `- ${words.split("\n", 1)[0]}`).join("\n");
      const text = ownWords.length === 1 ? only! : `${await scene.text()}\n\n${lines}`;
      return await composeFor(ports, scene, request, text);
    } catch (error) {
      // Of odd messages, as of a whole diff, none can be made that says what it should.
      if (!(error instanceof Failure)) throw error;
    }
  return composeFor(ports, scene, request, await scene.text());
}

async function composeFor(
  ports: Ports,
  scene: Scene,
  { caller }: CommitRequest,
  text: string,
): Promise<string> {
  const { step, owner, claim } = scene;
  const commits = await ports.commits();
  const prefix =
    ports.settings.trailer_prefix ??
    scene.family ??
    ((await commits.recent(caller.worktree)).usesTug ? "Tug" : "Pawl");
  const trailers = stepTrailers(ports, {
    plan: step.plan_path,
    step: step.anchor,
    claim,
    content: step.content_hash,
    session: caller.session ?? owner.session_id,
    prefix,
  });
  return commits.compose(text, trailers);
}

/** Refuses everybody but the step's owner, and begins a step that was only claimed. */
async function openFor(
  ports: Ports,
  scene: Scene,
  { caller, tree, unverified }: CommitRequest,
  message: string,
): Promise<void> {
  const { step, claim, checkout } = scene;
  const { plan_path, anchor } = step;
  const parent = checkout.head ?? null;
  const database = await ports.database();
  await database.write(async (sql) => {
    const locked = await lockedStep(sql, plan_path, anchor);
    const owner = ownerParams(locked, caller);
    const changed = await sql.run(openIntent, {
      ...owner,
      number: claim,
      parent,
      message,
      unverified: unverified ?? (tree === undefined ? "" : null),
      now: sql.now,
    });
    if (changed === 0) {
      const refusal = await whyRefused(sql, locked, caller, HELD_STATUSES, "commit");
      if (refusal.problem !== "internal/bug") throw refusal;
      throw changedHands(step);
    }
    // A worker that commits has begun. Left as claimed, the completion would be refused with the commit made already.
    if (locked.status === "claimed") await begin(sql, locked, caller);
    await journal(sql, {
      event: "commit-intended",
      plan: plan_path,
      anchor,
      claim,
      worktree: caller.worktree.path,
      session: caller.session,
      detail: { parent },
    });
  });
}

/** Nothing was committed. Says why, after a look at whether a git that outlived its caller has done it meanwhile. */
async function whyNotMade(
  ports: Ports,
  scene: Scene,
  request: CommitRequest,
  { said, unstage }: { readonly said: string; readonly unstage: Unstage },
): Promise<Made> {
  const commits = await ports.commits();
  const { worktree } = request.caller;
  const own = ownCommit(ports, scene, await commits.recent(worktree), scene.checkout.head ?? null);
  if (own) {
    await commits.flush(worktree);
    return { made: await commits.read(worktree, own.commit), resumed: true };
  }
  // What the user had staged by hand was written over by everything.
  await unstage();
  const changes = await commits.uncommitted(worktree, request.paths);
  // Where an empty commit would do, git had another reason.
  const isNothing = changes.length === 0 && request.allowEmpty !== true;
  const failure = isNothing ? nothingToCommit(scene, request) : refusal(scene, request, said);
  return giveUp(ports, scene, request, failure);
}

/** Signing that fails says nothing about the work, and neither does a machine that is full. */
function refusal(
  { step: { anchor } }: Scene,
  { caller: { worktree } }: CommitRequest,
  said: string,
): Failure {
  const message = `Nothing was committed for ${anchor}: ${firstLine(said)}`;
  const lines = said.split("\n");
  const details = { anchor, worktree: worktree.path, committed: false, output: lines };
  if (saysMachine(said)) return new Failure("git/failed", message, { ...details, stderr: lines });
  const isUnsigned = NOT_WRITTEN.test(said) && SIGNING.test(said);
  return new Failure(isUnsigned ? "commit/not-signed" : "commit/refused", message, details);
}

const NOT_WRITTEN = /^fatal: failed to write commit object/m;
const SIGNING = /gpg|sign|ssh-keygen|secret key|private key|load key/i;

export const nothingToCommit = ({ step }: Scene, { caller: { worktree } }: CommitRequest): Failure =>
  new Failure(
    "commit/nothing",
    `There is nothing to commit for ${step.anchor} in ${worktree.path}.`,
    { anchor: step.anchor, worktree: worktree.path, committed: false },
    {
      hint: `Change something first. Where the step needs no change: \`pawl commit --plan ${shellWord(step.plan_path)} --step ${shellWord(step.anchor)} --worktree ${shellWord(worktree.path)} --allow-empty\`.`,
    },
  );

const firstLine = (said: string): string =>
  (said.split("\n").find((line) => line.trim() !== "") ?? "git or a hook refused without a word.").replace(
    /^(?:fatal|error): /,
    "",
  );

/** The intent is over: the next call begins anew. The step stays as it is, and the journal keeps what was said. */
async function giveUp(
  ports: Ports,
  { step, claim }: Scene,
  { caller }: CommitRequest,
  error: unknown,
): Promise<never> {
  if (!(error instanceof Failure)) throw error;
  const { plan_path, anchor } = step;
  const database = await ports.database();
  await database.write(async (sql) => {
    await sql.run(closeIntent, { plan_path, anchor, claim, commit_hash: null, now: sql.now });
    await journal(sql, {
      event: "commit-failed",
      plan: plan_path,
      anchor,
      claim,
      worktree: caller.worktree.path,
      session: caller.session,
      detail: { code: error.code, message: error.message, output: tailOf(error.details["output"]) },
    });
  });
  throw error;
}

const tailOf = (output: unknown): readonly unknown[] => (Array.isArray(output) ? output.slice(-50) : []);

/**
 * The commit as it is now. A hook may have changed its message, or put another commit on top of it.
 *
 * It is known by following what was checked out before, and by its signature where a hook left that in place.
 */
async function readBack(
  ports: Ports,
  scene: Scene,
  { caller: { worktree } }: CommitRequest,
  parent: string | null,
): Promise<MadeCommit> {
  const commits = await ports.commits();
  const head = await commits.read(worktree);
  if ((head.parents[0] ?? null) === parent) return head;
  const recent = await commits.recent(worktree);
  const made =
    ownCommit(ports, scene, recent, parent) ??
    recent.notes.find(({ parents }) => (parents[0] ?? null) === parent);
  if (made) return commits.read(worktree, made.commit);
  throw new Failure(
    "commit/unclear",
    `A commit was made for ${scene.step.anchor}, and what is checked out now does not follow from it.`,
    { anchor: scene.step.anchor, parent, head: head.commit },
  );
}
