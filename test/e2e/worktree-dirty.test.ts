import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { compose } from "../../src/compose.ts";
import { Failure } from "../../src/domain/errors.ts";
import type { Saved } from "../../src/worktrees/saved.ts";
import { type Pawl, pawlOn } from "../../src/api.ts";
import { type DirtyTree, dirtyWorktree, gitIn, gitSeen, see } from "../support/dirty-trees.ts";
import { SMALL_PLAN } from "../support/plans.ts";
import { cleanEnv, testRepository } from "../support/repository.ts";
import { paste } from "../support/worktree-shop.ts";

/**
 * Worktrees in every kind of disorder are taken down, cleaned away and merged.
 *
 * Afterwards everything is found again through what was printed: each byte that git does not ignore, and each commit.
 */

/** A few with every `npm test`; all two hundred with the crash project, because they take minutes. */
const TREES = Number(process.env["PAWL_TREES"] ?? 20);
const BATCH = 10;
const SEEDS = Array.from({ length: TREES / BATCH }, (_, batch) => batch * BATCH);
const VERBS = ["remove", "clean", "merge"] as const;

interface Stage {
  readonly home: string;
  readonly pawl: Pawl;
  readonly tree: DirtyTree;
}

/** What happened over all seeds, so that a generator that went tame is noticed. */
const happened = new Map<string, number>();
const count = (what: string): void => void happened.set(what, (happened.get(what) ?? 0) + 1);

// proves G-no-uncommitted-work-lost
describe("over random dirty trees nothing is lost by remove, clean and merge", () => {
  it.each(SEEDS)(`seeds %i and the next ${BATCH - 1}`, async (first) => {
    const before = tried;
    for (let seed = first; seed < first + BATCH; seed += 1) await tryTree(seed);
    expect(tried - before).toBe(BATCH);
  });

  afterAll(() => {
    for (const what of ["taken down", "refused", "a snapshot", "a rescue"])
      expect(happened.get(what) ?? 0, `${what}: ${JSON.stringify([...happened])}`).toBeGreaterThan(0);
  });
});

let tried = 0;

async function tryTree(seed: number): Promise<void> {
  const repo = testRepository();
  try {
    repo.write("plan.md", SMALL_PLAN);
    repo.git("add", "-A");
    repo.git("commit", "-q", "-m", "the plan");
    const pawl = pawlOn(await compose({ cwd: repo.path, env: cleanEnv() }));
    const { worktreePath } = await pawl.createWorktree({ plan: "plan.md" });
    const tree = dirtyWorktree(worktreePath, seed);
    const verb = VERBS[seed % VERBS.length]!;
    const stage = { home: repo.path, pawl, tree };
    const about = `seed ${seed}, ${verb}: ${tree.story.join(", ")}`;
    await (verb === "merge" ? tryMerge(stage) : tryTakingDown(stage, verb)).catch((error: unknown) => {
      throw new Error(`${about}\n${String(error)}`, { cause: error });
    });
    await pawl.close();
    tried += 1;
  } finally {
    repo.remove();
  }
}

async function tryTakingDown({ home, pawl, tree: { root } }: Stage, verb: "remove" | "clean"): Promise<void> {
  const ignored = ignoredIn(root);
  const before = { files: see(root).files, git: gitSeen(root), commits: commitsOf(root) };
  const isDirty = gitIn(root, "status", "--porcelain", "-uall") !== "";
  const saved = await (verb === "remove" ? remove(pawl, root) : clean(pawl, root));
  if (saved === undefined) {
    count("refused");
    expect(insideOf(root), "only what holds other repositories is refused").not.toEqual([]);
    expect([see(root).files, gitSeen(root)]).toEqual([before.files, before.git]);
    return;
  }
  count("taken down");
  expect(fs.existsSync(root)).toBe(false);
  if (isDirty) expect(saved.map(({ kind }) => kind)).toContain("snapshot");
  for (const { kind, bringBack } of saved) {
    count(`a ${kind}`);
    paste(home, bringBack);
    if (kind !== "snapshot") continue;
    const wanted = Object.fromEntries(Object.entries(before.files).filter(([path]) => !ignored.has(path)));
    expect(see(`${root}-restored`).files).toEqual(wanted);
  }
  const reachable = new Set(gitIn(home, "rev-list", "--branches", "--glob=refs/pawl/rescue").split("\n"));
  expect(before.commits.filter((commit) => !reachable.has(commit))).toEqual([]);
  fsck(home);
}

/** What was saved; undefined when it was refused because it cannot be saved. */
async function remove(pawl: Pawl, root: string): Promise<readonly Saved[] | undefined> {
  try {
    return (await pawl.removeWorktree({ target: root, deleteBranch: true })).saved;
  } catch (error) {
    if (error instanceof Failure && error.problem === "worktree/not-savable") return undefined;
    throw error;
  }
}

/** Files may be a moment younger than the look at the clock. */
const ANY_AGE_MS = -60_000;

async function clean(pawl: Pawl, root: string): Promise<readonly Saved[] | undefined> {
  const { removed, kept } = await pawl.cleanWorktrees({ olderThanMs: ANY_AGE_MS, deleteBranch: true });
  expect([...removed, ...kept].map(({ worktreePath }) => worktreePath)).toEqual([root]);
  return removed[0]?.saved;
}

/** The worktree stays as it is whatever comes of the merge, and the checkout is before it or behind it. */
async function tryMerge({ home, pawl, tree: { root } }: Stage): Promise<void> {
  const before = { files: see(root).files, git: gitSeen(root), base: gitIn(home, "rev-parse", "main") };
  const isMerged = await pawl.mergeWorktree({ target: "pawl/plan" }).then(
    ({ merged }) => merged,
    (error: unknown) => {
      if (error instanceof Failure && error.kind !== "internal") return false;
      throw error;
    },
  );
  count(isMerged ? "merged" : "not merged");
  expect(see(root).files).toEqual(before.files);
  expect(withoutBase(gitSeen(root))).toEqual(withoutBase(before.git));
  expect(gitIn(home, "rev-parse", "main") === before.base).toBe(!isMerged);
  // A file name that the settings convert may differ after the checkout itself; what was not committed must not.
  expect(gitIn(home, "status", "--porcelain", "--untracked-files=all")).toBe("");
  fsck(home);
}

const withoutBase = (seen: unknown): unknown => {
  const { refs, ...rest } = seen as { readonly refs: string };
  return { ...rest, refs: refs.split("\n").filter((line) => !line.startsWith("refs/heads/main ")) };
};

const ignoredIn = (root: string): ReadonlySet<string> =>
  new Set(
    execFileSync("git", ["-C", root, "ls-files", "-z", "-o", "-i", "--exclude-standard"], { env: cleanEnv() })
      .toString("latin1")
      .split("\0"),
  );

/** Not strictly: a person may call a file `git~1`, and then it is kept under that name. */
const fsck = (home: string): string => gitIn(home, "fsck", "--no-dangling", "--no-progress");

/** What the worktree's HEAD leads to, also in the middle of a rebase. */
const commitsOf = (root: string): readonly string[] => gitIn(root, "rev-list", "HEAD").split("\n");

/** Repositories inside: folders with a `.git` of their own. */
function insideOf(root: string): readonly string[] {
  return ["inner", "module"].filter((name) => fs.existsSync(join(root, name, ".git")));
}
