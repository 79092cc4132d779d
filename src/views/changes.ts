import { BRANCH_PREFIX, Failure } from "../domain/index.ts";
import type { Ports, Sql } from "../platform/ports/index.ts";
import { keptWorkOf } from "../steps/index.ts";
import { lastSessionOf } from "../sessions/index.ts";
import { databaseFor, listPartings } from "../plans/index.ts";

export interface ChangesRequest {
  /** A commit, by its hash. */
  readonly commit?: string | undefined;
  /** A snapshot, or other work that was kept, by its ref. */
  readonly kept?: string | undefined;
  /** What is not committed in a worktree. */
  readonly worktree?: string | undefined;
  /** Everything on one branch that another does not have. */
  readonly branch?: { readonly tip: string; readonly base: string } | undefined;
}

/** A change for people to read, as one patch. */
export interface ChangesView {
  readonly commit: string | null;
  readonly author: string | null;
  readonly authoredAt: string | null;
  readonly message: string | null;
  readonly diff: string;
  /** It is longer than this. */
  readonly isCut: boolean;
}

const HASH = /^[0-9a-f]{7,64}$/;
const MOST = 400 * 1024;

/** What a commit, kept work, a worktree or a whole branch changed. */
export async function changes(ports: Ports, request: ChangesRequest): Promise<ChangesView> {
  if (request.worktree !== undefined) return uncommitted(ports, request.worktree);
  if (request.branch !== undefined) return onBranch(ports, request.branch);
  const name = request.kept ?? request.commit ?? "";
  const commit = await commitNamed(ports, name, request.kept !== undefined);
  return ports.git.commitText(commit);
}

/** A hash or a ref of Pawl's own and nothing else: what git would take for an option, a range or a path never gets there. */
async function commitNamed(ports: Ports, name: string, isKept: boolean): Promise<string> {
  const isName = isKept ? /^refs\/pawl\/[\w./-]+$/.test(name) && !name.includes("..") : HASH.test(name);
  const commit = isName ? await ports.git.commitExists(name) : undefined;
  if (commit !== undefined) return commit;
  throw new Failure("commit/invalid", `There is no ${isKept ? "kept work" : "commit"} ${name} here.`, {
    commit: name,
  });
}

const asPatch = (diff: string, commit: string | null = null): ChangesView => ({
  commit,
  author: null,
  authoredAt: null,
  message: null,
  diff,
  isCut: diff.length >= MOST,
});

/** The files as they are, also new ones, against what is checked out. Nothing in the worktree is touched. */
async function uncommitted(ports: Ports, path: string): Promise<ChangesView> {
  const commits = await ports.commits();
  const worktree = ports.repository.worktree(path);
  const head = await commits.head(worktree);
  if (head === undefined) return asPatch("");
  const tree = await commits.tree(worktree);
  return asPatch(await (await ports.branches()).patch(head, tree, MOST));
}

async function onBranch(
  ports: Ports,
  { tip, base }: NonNullable<ChangesRequest["branch"]>,
): Promise<ChangesView> {
  const branches = await ports.branches();
  const [to, other] = [await commitNamed(ports, tip, false), await commitNamed(ports, base, false)];
  const from = (await branches.mergeBase(other, to)) ?? other;
  return asPatch(await branches.patch(from, to, MOST), to);
}

export interface ConflictRequest {
  readonly plan: string;
  readonly step: string;
}

export interface Conflict {
  /** The branch that its work is to land on. */
  readonly branch: string;
  readonly worktree: string;
  /** What landed meanwhile, and the work of the step that was kept. */
  readonly tip: string;
  readonly kept: string;
  readonly keptRef: string;
  /** Empty where the two merge by now. */
  readonly files: readonly {
    readonly path: string;
    /** With both sides of every hunk marked; null for what is no text. */
    readonly text: string | null;
  }[];
}

/** Where a run put the work that conflicts, as the step's last block says. */
async function asideOf(sql: Sql, plan_path: string, anchor: string): Promise<string | undefined> {
  const partings = await sql.all(listPartings, { plan_path, anchor, most: 1 });
  const last = partings.find(({ event }) => event === "blocked");
  const { aside } = JSON.parse(last?.detail ?? "{}") as { readonly aside?: { readonly ref: string } };
  return aside?.ref;
}

const MOST_FILES = 20;
const MOST_TEXT = 200_000;

/** How the kept work of a step and what landed meanwhile differ, merged in memory; null where nothing was kept. */
export async function conflict(ports: Ports, request: ConflictRequest): Promise<Conflict | null> {
  const { key } = ports.plans.locate(request.plan);
  const database = await databaseFor(ports, key);
  const { work, last, aside } = await database.read(async (sql) => ({
    work: await keptWorkOf(sql, key, request.step),
    last: await sql.get(lastSessionOf, { plan_path: key, anchor: request.step }),
    aside: await asideOf(sql, key, request.step),
  }));
  const branch = last?.base;
  const ref = aside ?? work?.ref;
  if (ref === undefined || last === undefined || !branch?.startsWith(BRANCH_PREFIX)) return null;
  const branches = await ports.branches();
  const named = await branches.commits([`refs/heads/${branch}`, ref]);
  const [tip, kept] = [named.get(`refs/heads/${branch}`), named.get(ref)];
  if (tip === undefined || kept === undefined) return null;
  const merged = await branches.mergedTree(tip, kept);
  const about = { branch, worktree: last.worktree, tip, kept, keptRef: ref };
  if (merged.kind === "nothing") return { ...about, files: [] };
  const conflicts = merged.kind === "conflicts" ? merged.files : undefined;
  const shown = new Set(conflicts?.slice(0, MOST_FILES));
  let searched = 0;
  const texts = await branches.changedFiles({
    from: await branches.treeOf(tip),
    to: merged.tree,
    reads: (path) => (conflicts ? shown.has(path) : (searched += 1) <= MOST_SEARCHED),
  });
  const after = new Map(texts.map((file) => [file.path, file.after?.slice(0, MOST_TEXT) ?? null]));
  // Work that merges may still have the marks of a conflict that its agent did not resolve.
  const paths = conflicts ?? [...after.keys()].filter((path) => MARKERS.test(after.get(path) ?? ""));
  return { ...about, files: paths.map((path) => ({ path, text: after.get(path) ?? null })) };
}

const MOST_SEARCHED = 500;
const MARKERS = /^<{7} [^]*^>{7} /m;
