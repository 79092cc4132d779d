import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gitSnapshots } from "../../src/git/snapshots/git-snapshots.ts";
import type { Snapshots } from "../../src/ports/snapshots.ts";
import { systemClock } from "../../src/os/system-clock.ts";
import { type DirtyTree, dirtyTree, gitDirOf, gitIn, gitSeen, see } from "../support/dirty-trees.ts";
import { cleanEnv } from "../support/repository.ts";
import { ok, refused, workshop } from "../support/workshop.ts";

let home = "";
beforeAll(() => {
  home = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "pawl-snapshots-")));
});
afterAll(() => fs.rmSync(home, { recursive: true, force: true }));

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

const TREES = 200;
const BATCH = 10;
/** The first ones are the same in every run; a failing seed is named, and can be tried alone. */
const SEEDS = Array.from({ length: TREES / BATCH }, (_, batch) => batch * BATCH);

describe("of random dirty trees", () => {
  it.each(SEEDS)(
    `is taken, copied and restored byte for byte (seeds %i and the next ${BATCH - 1})`,
    async (first) => {
      let tried = 0;
      for (let seed = first; seed < first + BATCH; seed += 1) {
        await tryTree(seed);
        tried += 1;
      }
      expect(tried).toBe(BATCH);
    },
  );
});

async function tryTree(seed: number): Promise<void> {
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

describe("the commands", () => {
  const setUp = () => {
    const work = workshop(null);
    work.repository.write("tracked", "committed\n");
    work.repository.git("add", "-A");
    work.repository.git("commit", "-q", "-m", "files");
    return work;
  };

  it("take, list, show, restore and drop, as JSON", () => {
    const { json, repository, home } = setUp();
    expect(ok(json("snapshot", "take"))).toEqual({ taken: false, snapshot: null });
    expect(ok(json("snapshot", "list"))).toEqual({ snapshots: [] });
    repository.write("tracked", "changed\n");
    repository.write("new", "new\n");
    const { snapshot } = ok(json("snapshot", "take", "--worktree", home, "--reason", "a reason"));
    expect(snapshot).toMatchObject({
      worktree: home,
      worktree_id: "main",
      branch: "main",
      files: 2,
      because: "a reason",
    });
    expect(ok(json("snapshot", "list"))).toEqual({ snapshots: [snapshot] });
    const name = (snapshot.ref as string).slice(-6);
    expect(ok(json("snapshot", "show", name))["changes"]).toEqual([
      { path: "new", status: "added" },
      { path: "tracked", status: "modified" },
    ]);
    repository.git("reset", "-q", "--hard");
    const restored = ok(json("snapshot", "restore", name));
    expect(restored).toMatchObject({ restored: true, path: home, before: { files: 1 } });
    expect(fs.readFileSync(join(home, "tracked"), "utf8")).toBe("changed\n");
    const to = join(home, "../copy");
    expect(ok(json("snapshot", "restore", name, "--to", to))["path"]).toBe(to);
    expect(fs.readFileSync(join(to, "new"), "utf8")).toBe("new\n");
    expect(ok(json("snapshot", "restore", name, "--to", to))["path"]).toBe(to);
    fs.writeFileSync(join(to, "mine"), "not in the snapshot\n");
    refused(json("snapshot", "restore", name, "--to", to), "E084", 2);
    expect(fs.readFileSync(join(to, "mine"), "utf8")).toBe("not in the snapshot\n");
    refused(json("snapshot", "show", "nonsense"), "E120", 2);
    expect(ok(json("snapshot", "drop", name, "--dry-run"))).toMatchObject({ dropped: false });
    refused(json("snapshot", "drop", name), "E066", 2);
    expect(ok(json("snapshot", "drop", name, "--yes"))).toMatchObject({ dropped: true, snapshot });
    refused(json("snapshot", "show", name), "E120", 2);
    expect(repository.git("cat-file", "-t", snapshot.commit as string)).toBe("commit");
  });

  it("take from inside a session, but do not drop there", () => {
    const { jsonWith, repository, home } = setUp();
    repository.write("new", "new\n");
    const env = { PAWL_SESSION: "s-1", PAWL_WORKTREE: home };
    const { snapshot } = ok(jsonWith({ env }, "snapshot", "take"));
    const { hint } = refused(
      jsonWith({ env }, "snapshot", "drop", snapshot.ref as string, "--yes"),
      "E077",
      4,
    );
    expect(hint).toContain("for people");
  });

  it("say when another commit is checked out that a person must decide", () => {
    const { json, repository } = setUp();
    repository.write("tracked", "changed\n");
    const { snapshot } = ok(json("snapshot", "take"));
    repository.git("commit", "-q", "-am", "on");
    refused(json("snapshot", "restore", snapshot.ref as string), "E122", 5);
    expect(ok(json("snapshot", "restore", snapshot.ref as string, "--files-only"))["restored"]).toBe(true);
  });

  it("write the drop and the restore into the journal, where there is one", () => {
    const { json, repository } = setUp();
    ok(json("init"));
    repository.write("new", "new\n");
    const { snapshot } = ok(json("snapshot", "take"));
    ok(json("snapshot", "restore", snapshot.ref as string));
    ok(json("snapshot", "drop", snapshot.ref as string, "--yes"));
    const { events } = ok(json("state", "events"));
    expect((events as { event: string }[]).map(({ event }) => event)).toEqual([
      "snapshot-restored",
      "snapshot-dropped",
    ]);
  });

  it("print aligned text without letting names act on the terminal", () => {
    const { text, repository } = setUp();
    repository.write("evil\x1b[2Jname", "x");
    expect(text("snapshot", "take", "--reason", "why\x1b]0;x\x07 not").stdout).toContain(
      "Back with: pawl snapshot restore ",
    );
    const listed = text("snapshot", "list").stdout;
    expect(listed).toContain("1 path");
    const shownText = text("snapshot", "show", listed.split(" ")[0]!).stdout;
    expect(shownText).toMatch(/^added {5}evil/m);
    expect(listed + shownText).not.toContain("\x1b");
  });

  it("keep ignored files when pawl.toml says so", () => {
    const { json, repository, home } = setUp();
    repository.write(".gitignore", "*.log\n");
    repository.write("pawl.toml", "snapshot_ignored = true\n");
    repository.git("add", "-A");
    repository.git("commit", "-q", "-m", "rules");
    repository.write("x.log", "precious\n");
    const { snapshot } = ok(json("snapshot", "take"));
    expect(repository.git("show", `${snapshot.ref as string}:x.log`)).toBe("precious");
    fs.writeFileSync(join(home, "pawl.toml"), 'snapshot_ignored = "yes"\n');
    refused(json("snapshot", "list"), "E091", 2);
  });
});
