import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../domain/errors.ts";
import { toInstant } from "../domain/instant.ts";
import type { Clock } from "../ports/clock.ts";
import type { Worktree } from "../ports/repository.ts";
import type { Snapshot, Snapshots } from "../ports/snapshots.ts";
import { patientGit } from "./patient-git.ts";
import { PAWL_IDENTITY } from "./pawl-identity.ts";
import { gitRunner, type GitSetting, type RunGit } from "./run-git.ts";
import { operationIn } from "./worktrees/worktree-entry.ts";

const FOLDER = "refs/pawl/snapshots/";

/**
 * Snapshots by a copy of the index: everything is added to the copy, and the tree it makes is committed.
 *
 * The copy knows which files did not change, so only those that did are read.
 */
export function snapshotsByIndex({ clock, ...setting }: GitSetting & { readonly clock: Clock }): Snapshots {
  const run = patientGit(gitRunner(setting));
  return {
    take: (worktree, because) => take(run, clock, worktree, because),
    list: () => list(run),
    async find(name) {
      const found = (await list(run)).filter(({ ref }) => ref === name || ref.endsWith(name));
      if (found.length === 1) return found[0]!;
      throw new Failure("usage/wrong", `${found.length} snapshots are called ${name}.`, { name });
    },
    restoreTo: ({ commit }, folder) => restoreTo(run, commit, folder, setting.gitDir),
    restore: () => Promise.reject(new Failure("internal/bug", "Restoring in place is not built yet.")),
    drop: async ({ ref, commit }) => {
      await run({ args: ["update-ref", "--no-deref", "-d", ref, commit], access: "write" });
    },
  };
}

async function take(
  run: RunGit,
  clock: Clock,
  worktree: Worktree,
  because: string,
): Promise<Snapshot | undefined> {
  const at = { worktree: worktree.path };
  const status = await run({
    args: ["status", "--porcelain", "-z", "--untracked-files=all"],
    access: "read",
    ...at,
  });
  const gitDir = (await run({ args: ["rev-parse", "--absolute-git-dir"], access: "read", ...at })).trim();
  const operation = operationIn(gitDir);
  if (status === "" && operation === undefined) return undefined;
  const head = (
    await run({ args: ["rev-parse", "--quiet", "--verify", "HEAD"], access: "read", accept: [1], ...at })
  ).trim();
  const branch = (
    await run({ args: ["symbolic-ref", "--quiet", "HEAD"], access: "read", accept: [1], ...at })
  ).trim();
  const tree = await treeOfAll(run, worktree, gitDir);
  const files = status.split("\0").filter((line) => line !== "").length;
  const takenAt = toInstant(clock.wallMs());
  const facts = {
    worktree: worktree.path,
    worktreeId: worktree.id,
    head,
    branch,
    operation,
    files,
    because,
    takenAt,
  };
  const commit = (
    await run({
      args: ["commit-tree", tree, ...(head === "" ? [] : ["-p", head]), "-F", "-"],
      access: "write",
      input: `Uncommitted work: ${because}\n\n${JSON.stringify(facts)}\n`,
      variables: PAWL_IDENTITY,
    })
  ).trim();
  const ref = `${FOLDER}${worktree.id.replace(/[^\w-]+/g, "-")}/${commit.slice(0, 12)}`;
  await run({ args: ["update-ref", "--no-deref", ref, commit], access: "write" });
  return { ...facts, ref, commit, head: head || undefined, branch: branch || undefined };
}

async function treeOfAll(run: RunGit, { path }: Worktree, gitDir: string): Promise<string> {
  const index = join(gitDir, `pawl-index-${process.pid}`);
  const variables = { GIT_INDEX_FILE: index };
  try {
    if (existsSync(join(gitDir, "index"))) copyFileSync(join(gitDir, "index"), index);
    await run({
      args: ["-c", "advice.addEmbeddedRepo=false", "add", "--all"],
      access: "write",
      worktree: path,
      variables,
    });
    return (await run({ args: ["write-tree"], access: "write", worktree: path, variables })).trim();
  } finally {
    rmSync(index, { force: true });
  }
}

async function list(run: RunGit): Promise<readonly Snapshot[]> {
  const answer = await run({
    args: ["for-each-ref", "--format=%(refname)%00%(objectname)%00%(contents:body)%00", FOLDER],
    access: "read",
  });
  const fields = answer.split("\0");
  const found: Snapshot[] = [];
  for (let index = 0; index + 2 < fields.length; index += 3) {
    const [ref = "", commit = "", body = "{}"] = fields.slice(index, index + 3);
    found.push({ ...(JSON.parse(body) as Omit<Snapshot, "ref" | "commit">), ref: ref.trim(), commit });
  }
  return found;
}

async function restoreTo(run: RunGit, commit: string, folder: string, gitDir: string): Promise<void> {
  mkdirSync(folder);
  const variables = { GIT_INDEX_FILE: join(gitDir, `pawl-index-${process.pid}`) };
  try {
    await run({ args: ["read-tree", commit], access: "write", variables });
    await run({ args: ["checkout-index", "--all", `--prefix=${folder}/`], access: "write", variables });
  } finally {
    rmSync(variables.GIT_INDEX_FILE, { force: true });
  }
}
