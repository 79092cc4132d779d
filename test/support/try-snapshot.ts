import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { gitSnapshots } from "../../src/platform/git/snapshots/git-snapshots.ts";
import { systemClock } from "../../src/platform/os/system-clock.ts";
import type { Snapshots } from "../../src/platform/ports/snapshots.ts";
import { type DirtyTree, dirtyTree, gitDirOf, gitIn, gitSeen, see } from "./dirty-trees.ts";
import { cleanEnv } from "./repository.ts";

/** Makes a random dirty tree, takes a snapshot of it, copies and restores it, and compares every byte. */
export async function trySnapshot(home: string, seed: number): Promise<void> {
  const root = join(home, `tree-${seed}`);
  const tree = dirtyTree(root, seed);
  const about = `seed ${seed}: ${tree.story.join(", ")}`;
  try {
    await tryTaking(tree, about);
  } catch (error) {
    throw new Error(`${about}\n${String(error)}`, { cause: error });
  }
  for (const path of [root, `${root}.source`, `${root}.copy`])
    fs.rmSync(path, { recursive: true, force: true });
}

async function tryTaking({ root }: DirtyTree, about: string): Promise<void> {
  const snapshots = snapshotsOf(root);
  const worktree = { path: root, id: "main" };
  const index = join(gitDirOf(root), "index");
  const indexBytes = () => (fs.existsSync(index) ? fs.readFileSync(index).toString("latin1") : "none");
  const indexTimes = () =>
    fs.existsSync(index) ? String(fs.statSync(index, { bigint: true }).mtimeNs) : "none";
  const ignored = ignoredIn(root);
  const before = { seen: see(root), bytes: indexBytes(), times: indexTimes() };

  const snapshot = await snapshots.take(worktree, "a test");

  expect(see(root), `${about}: files untouched`).toEqual(before.seen);
  expect([indexBytes(), indexTimes()], `${about}: index untouched`).toEqual([before.bytes, before.times]);
  const git = gitSeen(root);
  const isDirty = gitIn(root, "status", "--porcelain", "-uall") !== "";
  if (isDirty) expect(snapshot, about).toBeDefined();
  if (snapshot === undefined) return;
  fsck(root);

  await snapshots.restoreTo(snapshot, `${root}.copy`);
  const wanted = Object.fromEntries(Object.entries(before.seen.files).filter(([path]) => !ignored.has(path)));
  const copied = see(`${root}.copy`).files;
  expect(copied, `${about}: the copy`).toEqual(wanted);

  wreck(root, ignored);
  await snapshots.restore(snapshot, worktree);
  expect(see(root).files, `${about}: restored in place`).toEqual(before.seen.files);
  expect(indexBytes(), `${about}: the index`).toBe(before.bytes);
  expect(gitSeen(root), `${about}: what git says`).toEqual(git);
  fsck(root);
}

/** Makes something else of the worktree: half of the files go, others change, new ones come, operations end. */
function wreck(root: string, ignored: ReadonlySet<string>): void {
  let count = 0;
  for (const path of Object.keys(see(root).files)) {
    if (ignored.has(path) || path.startsWith("inner/") || path.startsWith("module/")) continue;
    const place = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);
    count += 1;
    if (count % 3 === 0) fs.rmSync(place, { force: true });
    else if (count % 3 === 1 && fs.lstatSync(place).isFile()) fs.writeFileSync(place, `wrecked ${count}`);
  }
  fs.writeFileSync(join(root, "appeared"), "new");
  if (fs.existsSync(join(root, "module/inside"))) fs.writeFileSync(join(root, "module/inside"), "wrecked");
  try {
    gitIn(root, "add", "-A", "--ignore-errors", "--", ":!inner", ":!module");
  } catch {
    // Names that git does not take.
  }
  for (const name of ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "MERGE_MSG", "rebase-merge"])
    fs.rmSync(join(gitDirOf(root), name), { recursive: true, force: true });
}

function fsck(root: string): void {
  execFileSync("git", ["-C", root, "fsck", "--no-dangling", "--no-progress"], {
    env: cleanEnv(),
    stdio: "pipe",
  });
}

const snapshotsOf = (root: string, ignored = false): Snapshots =>
  gitSnapshots({
    commonDir: join(root, ".git"),
    env: cleanEnv(),
    clock: systemClock,
    scratchDir: join(root, ".git/pawl/scratch"),
    ignored,
  });

/** Paths that git ignores, as bytes. */
const ignoredIn = (root: string): ReadonlySet<string> =>
  new Set(
    execFileSync("git", ["-C", root, "ls-files", "-z", "-o", "-i", "--exclude-standard"], { env: cleanEnv() })
      .toString("latin1")
      .split("\0"),
  );
