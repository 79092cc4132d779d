import { DEPENDENCY_FOLDERS, fromInstant } from "../../domain/index.ts";
import type { Beside } from "../../platform/ports/index.ts";
import { savedStep } from "../../plans/index.ts";
import type { KnownFiles } from "../work/checkpoint.ts";
import type { Where } from "../../verification/index.ts";
import type { ClaimedStep } from "../../steps/index.ts";
import type { Worker } from "../work/worker.ts";

/** Where the checks of one verification are run. */
export interface CheckFolder {
  readonly where: Where;
  readonly cwd: string;
  /** What lies in the worktree, where the checks leave that alone. */
  readonly known?: KnownFiles | undefined;
  /** What lies in the worktree and not in the tree, in words. Read once, and only when it is asked for. */
  readonly beside: () => Promise<readonly string[]>;
  /** Why the set-up of the checkout failed: the checks cannot be run there. */
  readonly failed?: { readonly checked: string; readonly output: string } | undefined;
}

/** More is not checked out a second time unless the settings ask for it. */
const MOST_FILES = 20_000;

/**
 * Finds where checks run: in a clean checkout of the tree, or where that costs much, in the worktree itself.
 *
 * In a worktree lie files that no commit of it will hold, and a check that needs one of them passes there and nowhere
 * else.
 */
export async function chooseCheckFolder(
  worker: Worker,
  held: ClaimedStep,
  {
    tree,
    isMerged,
    base,
  }: { readonly tree: string; readonly isMerged: boolean; readonly base?: string | undefined },
): Promise<CheckFolder> {
  const { ports, session } = worker;
  const { worktree } = session;
  let seen: Promise<Beside> | undefined;
  const look = () => (seen ??= lookBeside(worker, held, tree));
  const beside = async () => inWords(await look());
  if (!isMerged && !(await isCheckedClean(worker, look)))
    return { where: "in-place", cwd: worktree.path, beside };
  const head = await (await ports.commits()).head(worktree);
  const { cwd, failed } = await prepareCheckout(worker, { tree, head: base ?? head });
  const known = head === undefined ? undefined : { head, tree };
  return { where: "clean", cwd, known, beside, failed };
}

/** A clean checkout of exactly one tree, with what the set-up command makes there. */
export async function prepareCheckout(
  worker: Worker,
  { tree, head }: { readonly tree: string; readonly head: string | undefined },
): Promise<Pick<CheckFolder, "cwd" | "failed">> {
  const { ports, session } = worker;
  const setUp = ports.settings.worktree_setup;
  const worktrees = await ports.worktrees();
  const keepsIgnored = setUp !== undefined;
  const name = worker.checkFolder;
  const cwd = await worktrees.cleanCheckout(session.worktree, { tree, head, keepsIgnored, name });
  return { cwd, failed: setUp && (await whySetUpFailed(worker, setUp, cwd)) };
}

/** Whether checks run in a clean checkout, and so can look at other trees than the one that lies in the worktree. */
export const mayCheckElsewhere = (worker: Worker, held: ClaimedStep, tree: string): Promise<boolean> =>
  isCheckedClean(worker, () => lookBeside(worker, held, tree));

/**
 * Whether a check that belongs to no step can run in a clean checkout: with what the set-up makes there, or where nothing of
 * the worktree is needed for it.
 */
export async function canCheckClean(worker: Worker): Promise<boolean> {
  const { ports, session, settings } = worker;
  const { clean, command } = settings.verify;
  if (command === undefined || clean === true || ports.settings.worktree_setup !== undefined) return true;
  if (clean === false) return false;
  const commits = await ports.commits();
  const head = await commits.head(session.worktree);
  if (head === undefined) return true;
  const tree = await (await ports.branches()).treeOf(head);
  return isCheap(await commits.beside(session.worktree, { tree, sinceMs: 0 }));
}

async function isCheckedClean(worker: Worker, look: () => Promise<Beside>): Promise<boolean> {
  const { clean } = worker.settings.verify;
  if (clean !== "auto") return clean;
  return isOurs(worker, await worker.ports.worktrees()) && isCheap(await look());
}

/** A person's own worktree holds what that person needs for the checks; it is unknown which of it. */
const isOurs = (
  { ports, session }: Worker,
  { nameAt }: Awaited<ReturnType<Worker["ports"]["worktrees"]>>,
): boolean => ports.settings.worktree_setup === undefined && nameAt(session.worktree.path) !== undefined;

/** Git is asked what it ignores only where something lies there that counts. */
const isCheap = async ({ files, ignored, hasSubmodules, mayHoldFolder }: Beside): Promise<boolean> =>
  files <= MOST_FILES &&
  !hasSubmodules &&
  (!(await mayHoldFolder(DEPENDENCY_FOLDERS)) || !(await ignored()).some(holdsDependencies));

const holdsDependencies = ({ path }: { readonly path: string }): boolean =>
  path.endsWith("/") && DEPENDENCY_FOLDERS.has(path.split("/").at(-2) ?? "");

async function lookBeside({ ports, session }: Worker, held: ClaimedStep, tree: string): Promise<Beside> {
  const database = await ports.database();
  const step = await database.read((sql) => savedStep(sql, held.plan, held.anchor));
  const since = step.started_at ?? step.claimed_at;
  const commits = await ports.commits();
  return commits.beside(session.worktree, { tree, sinceMs: since === null ? 0 : fromInstant(since) });
}

/** As many as people read. */
const MOST_TOLD = 20;

async function inWords({ ignored, hidden, repositories }: Beside): Promise<readonly string[]> {
  const fresh = (await ignored()).filter(({ isNew }) => isNew);
  const lines = [
    ...(await repositories()).map(
      (path) => `${path} is a repository of its own; a commit holds its name and no files`,
    ),
    ...hidden.map((path) => `${path} is hidden from git (assume-unchanged or skip-worktree)`),
    ...fresh.map(({ path }) => `${path} is ignored by git and changed during the step`),
  ];
  const more = lines.length - MOST_TOLD;
  return more > 0 ? [...lines.slice(0, MOST_TOLD), `and ${more} more`] : lines;
}

async function whySetUpFailed(
  { ports, interruption }: Worker,
  argv: readonly string[],
  cwd: string,
): Promise<CheckFolder["failed"]> {
  const { ok, ending, output } = await (await ports.commands()).run(argv, { cwd, interruption });
  if (ok || interruption.signal() !== undefined) return undefined;
  return { checked: argv.join(" "), output: `${output}\n${argv[0]} ${ending}` };
}
