import { findIntent, planTip, whileSettled } from "../../commits/index.ts";
import { findStep, signedStep, signedUnder } from "../../plans/index.ts";
import type { ClaimedStep } from "../../steps/index.ts";
import { goalOfWorker, type Worker } from "../work/worker.ts";

/**
 * The commit that an earlier claim of this step made here, when that is what is checked out.
 *
 * Its git may have outlived a runner that was killed; another commit would be the same work a second time. A commit
 * for other words of the step is no such thing: an older plan may have had a step of that name.
 */
export async function earlierCommit(worker: Worker, held: ClaimedStep): Promise<string | undefined> {
  if (held.claim === FIRST_CLAIM) return undefined;
  const { ports, session } = worker;
  const [head] = (await (await ports.commits()).recent(session.worktree)).notes;
  if (head === undefined) return undefined;
  const { plan, anchor } = held;
  const database = await ports.database();
  return database.read(async (sql) => {
    const content = (await sql.get(findStep, { plan_path: plan, anchor }))?.content_hash ?? null;
    const signed = signedStep(ports.signer, head, { plan, step: anchor, content });
    if (signed === undefined || signed.claim >= held.claim) return undefined;
    const { claim } = signed;
    const isOfThisStep =
      signed.content === null
        ? (await sql.get(findIntent, { plan_path: plan, anchor, claim })) !== undefined
        : signed.content === content;
    return isOfThisStep ? head.commit : undefined;
  });
}

const FIRST_CLAIM = 1;

/**
 * Whether such a commit holds all that is there. If not, it is taken off its branch, so that one commit will hold all of
 * the step: files stay as they are, and the commit is kept.
 *
 * Only on a branch of the run's own: what is on another branch may have been seen already. And only before it has landed:
 * the plan's branch keeps the commit of a step that was reopened, and the next one follows it.
 */
export async function holdsEverything(worker: Worker, held: ClaimedStep, earlier: string): Promise<boolean> {
  const { ports, session, integration } = worker;
  const commits = await ports.commits();
  if ((await commits.uncommitted(session.worktree, undefined)).length === 0) return true;
  if (integration === undefined || (await isLanded(worker, earlier))) return false;
  await (await ports.branches()).rescue(held.anchor, earlier);
  await commits.takeBack(session.worktree, earlier);
  return false;
}

async function isLanded(worker: Worker, commit: string): Promise<boolean> {
  const { ports, plan } = worker;
  const goal = goalOfWorker(worker);
  if (goal === undefined || plan === undefined) return false;
  const tip = await planTip(ports, { plan, branch: goal.branch });
  return (await (await ports.branches()).mergeBase(tip, commit)) === commit;
}

/**
 * Whether the step's own commit is what is checked out, right on top of the plan's branch, and holds all that lies there:
 * a runner was killed before it could land it.
 */
export async function isCommitted(
  worker: Worker,
  held: ClaimedStep,
  { tip, own }: { readonly tip: string; readonly own: string },
): Promise<boolean> {
  const { ports, session } = worker;
  const { plan, anchor, claim } = held;
  const head = await (await ports.commits()).checkedOut(session.worktree);
  if (head === undefined || head.tree !== own || head.parents[0] !== tip) return false;
  const [note] = (await (await ports.commits()).recent(session.worktree)).notes;
  if (note === undefined) return false;
  const isOwn = signedUnder(ports.signer, note, { plan, step: anchor, claim }) !== undefined;
  return isOwn || (await earlierCommit(worker, held)) !== undefined;
}

/**
 * The commit that the step is completed with by now, where a killed process had begun to land it under this very claim:
 * the move that it left open is settled first.
 */
export async function landedBefore(worker: Worker, held: ClaimedStep): Promise<string | undefined> {
  const { ports } = worker;
  const { plan: plan_path, anchor, claim } = held;
  const goal = goalOfWorker(worker);
  if (goal === undefined) return undefined;
  const database = await ports.database();
  const intent = await database.read((sql) => sql.get(findIntent, { plan_path, anchor, claim }));
  if (intent === undefined || intent.branch === null || intent.closed_at !== null) return undefined;
  await whileSettled(ports, goal.branch, async () => undefined);
  const step = await database.read((sql) => sql.get(findStep, { plan_path, anchor }));
  return step?.status === "completed" ? (step.commit_hash ?? undefined) : undefined;
}
