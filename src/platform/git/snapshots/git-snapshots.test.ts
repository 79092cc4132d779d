import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { throwawayGit } from "../../../../test/support/throwaway-git.ts";
import { systemClock } from "../../os/system-clock.ts";
import type { Snapshots } from "../../ports/snapshots.ts";
import { gitSnapshots } from "./git-snapshots.ts";

const scratch = throwawayGit();
const { git, init, path } = scratch;
afterAll(() => scratch.remove());

let count = 0;
let repo = "";
let snapshots: Snapshots;
const worktree = () => ({ path: path(repo), id: "main" });
const write = (name: string, text: string): void => fs.writeFileSync(path(repo, name), text);
const read = (name: string): string => fs.readFileSync(path(repo, name), "utf8");
const exists = (name: string): boolean => fs.existsSync(path(repo, name));
const open = (folder: string, options: { ignored?: boolean; env?: Record<string, string> } = {}): Snapshots =>
  gitSnapshots({
    commonDir: path(folder, ".git"),
    env: { ...scratch.env, ...options.env },
    clock: systemClock,
    scratchDir: path(folder, ".git/pawl/scratch"),
    ignored: options.ignored ?? false,
  });
const refs = (): string => git(repo, "for-each-ref", "--format=%(refname)", "refs/pawl");
const taken = async (because = "a test") => (await snapshots.take(worktree(), because))!;

beforeEach(() => {
  count += 1;
  repo = `repo-${count}`;
  init(repo);
  write("tracked", "committed\n");
  write(".gitignore", "*.ignored\n");
  git(repo, "add", "-A");
  git(repo, "commit", "-qm", "files");
  snapshots = open(repo);
});

describe("take", () => {
  it("keeps nothing of a clean worktree, ignored and touched files included", async () => {
    write("x.ignored", "x");
    fs.utimesSync(path(repo, "tracked"), 1e9, 1e9);
    expect(await snapshots.take(worktree(), "x")).toBeUndefined();
    expect(refs()).toBe("");
    expect(fs.readdirSync(path(repo, ".git/pawl/scratch"))).toEqual([]);
  });

  it("tells what it kept, and lists it again", async () => {
    write("tracked", "changed\n");
    write("new", "new\n");
    const snapshot = await taken("before something");
    expect(snapshot).toMatchObject({
      worktree: path(repo),
      worktreeId: "main",
      head: git(repo, "rev-parse", "HEAD"),
      branch: "trunk",
      files: 2,
      because: "before something",
      repositories: [],
    });
    expect(snapshot.ref).toMatch(/^refs\/pawl\/snapshots\/main\/\d{8}T\d{9}Z-[0-9a-f]{6}$/);
    expect(await snapshots.list()).toEqual([snapshot]);
    expect(await snapshots.changes(snapshot)).toEqual([
      { path: "new", status: "added" },
      { path: "tracked", status: "modified" },
    ]);
    expect(git(repo, "show", `${snapshot.ref}:new`)).toBe("new");
  });

  it("works with no name configured", async () => {
    fs.mkdirSync(path("nobody"), { recursive: true });
    write("new", "new\n");
    const nobody = open(repo, { env: { HOME: path("nobody"), GIT_AUTHOR_NAME: "", GIT_COMMITTER_NAME: "" } });
    expect(await nobody.take(worktree(), "x")).toBeDefined();
  });

  it("keeps ignored files when asked to", async () => {
    write("x.ignored", "precious\n");
    const snapshot = await open(repo, { ignored: true }).take(worktree(), "x");
    expect(git(repo, "show", `${snapshot!.ref}:x.ignored`)).toBe("precious");
  });

  it("works in a linked worktree, on its index and its HEAD", async () => {
    git(repo, "worktree", "add", "-q", "-b", "side", path(`${repo}-side`));
    fs.writeFileSync(path(`${repo}-side`, "tracked"), "side\n");
    git(`${repo}-side`, "add", "-A");
    const side = { path: path(`${repo}-side`), id: `${repo}-side` };
    const snapshot = (await snapshots.take(side, "x"))!;
    expect(snapshot).toMatchObject({ branch: "side", files: 1 });
    expect(await snapshots.take(worktree(), "x")).toBeUndefined();
    git(`${repo}-side`, "reset", "-q", "--hard");
    await snapshots.restore(snapshot, side);
    expect(git(`${repo}-side`, "diff", "--cached", "--name-only")).toBe("tracked");
  });

  it("survives the collection of everything that only the index and a merge knew", async () => {
    write("staged", "only in the index\n");
    git(repo, "add", "staged");
    write("staged", "on disk\n");
    const snapshot = await taken();
    git(repo, "reset", "-q", "--hard");
    git(repo, "reflog", "expire", "--expire=now", "--all");
    git(repo, "gc", "-q", "--prune=now");
    await snapshots.restore(snapshot, worktree());
    expect(git(repo, "show", ":staged")).toBe("only in the index");
    expect(read("staged")).toBe("on disk\n");
  });

  it("keeps large files without a warning", async () => {
    const warnings: Error[] = [];
    const hear = (warning: Error): void => void warnings.push(warning);
    process.on("warning", hear);
    const bytes = randomBytes(20 << 20);
    fs.writeFileSync(path(repo, "large"), bytes);
    await snapshots.restoreTo(await taken(), path(`${repo}-copy`));
    process.off("warning", hear);
    expect(fs.readFileSync(path(`${repo}-copy`, "large")).equals(bytes)).toBe(true);
    expect(warnings).toEqual([]);
  });

  it("keeps both parts of a split index", async () => {
    git(repo, "update-index", "--split-index");
    write("new", "x");
    git(repo, "add", "new");
    const snapshot = await taken();
    git(repo, "update-index", "--no-split-index");
    for (const name of fs.readdirSync(path(repo, ".git")))
      if (name.startsWith("sharedindex.")) fs.rmSync(path(repo, ".git", name));
    git(repo, "reset", "-q", "--hard");
    await snapshots.restore(snapshot, worktree());
    expect(git(repo, "diff", "--cached", "--name-only")).toBe("new");
  });

  it("says which file cannot be read, and keeps nothing", async () => {
    if (process.getuid?.() === 0) return;
    write("secret", "x");
    fs.chmodSync(path(repo, "secret"), 0);
    await expect(snapshots.take(worktree(), "x")).rejects.toMatchObject({ problem: "snapshot/unreadable" });
    expect(refs()).toBe("");
  });

  it("never writes to a repository that a .git file in a subfolder points to", async () => {
    const other = init(`other-${count}`);
    const before = fs.readdirSync(join(other, ".git/objects"), { recursive: true }).length;
    fs.mkdirSync(path(repo, "trap"));
    write("trap/.git", `gitdir: ${other}/.git\n`);
    write("trap/file", "x");
    write("new", "x");
    expect(await taken()).toMatchObject({ repositories: ["trap"], files: 1 });
    expect(git(`other-${count}`, "for-each-ref", "refs/pawl")).toBe("");
    expect(fs.readdirSync(join(other, ".git/objects"), { recursive: true })).toHaveLength(before);
  });

  it("keeps files in the folder of a submodule that was never fetched", async () => {
    const source = init(`source-${count}`);
    git(repo, "submodule", "--quiet", "add", source, "module");
    git(repo, "commit", "-qm", "module");
    git(repo, "submodule", "--quiet", "deinit", "-f", "module");
    write("module/notes", "mine\n");
    const snapshot = await taken();
    await snapshots.restoreTo(snapshot, path(`${repo}-copy`));
    expect(fs.readFileSync(path(`${repo}-copy`, "module/notes"), "utf8")).toBe("mine\n");
  });
});

describe("restore", () => {
  it("saves what is there first, and says where", async () => {
    write("tracked", "one\n");
    const one = await taken();
    write("tracked", "two\n");
    write("new", "two\n");
    const before = (await snapshots.restore(one, worktree()))!;
    expect([read("tracked"), exists("new")]).toEqual(["one\n", false]);
    await snapshots.restore(before, worktree());
    expect([read("tracked"), read("new")]).toEqual(["two\n", "two\n"]);
  });

  it("refuses when another commit is checked out, unless only files are wanted", async () => {
    write("tracked", "one\n");
    const one = await taken();
    git(repo, "commit", "-qam", "one");
    write("later", "later\n");
    await expect(snapshots.restore(one, worktree())).rejects.toMatchObject({
      problem: "snapshot/other-head",
    });
    expect(exists("later")).toBe(true);
    const index = fs.readFileSync(path(repo, ".git/index"));
    const before = (await snapshots.restore(one, worktree(), { filesOnly: true }))!;
    expect([read("tracked"), exists("later")]).toEqual(["one\n", false]);
    expect(fs.readFileSync(path(repo, ".git/index"))).toEqual(index);
    expect(git(repo, "show", `${before.ref}:later`)).toBe("later");
  });

  it("keeps an ignored file that it must replace, and leaves all others", async () => {
    write("place", "file\n");
    const one = await taken();
    fs.rmSync(path(repo, "place"));
    fs.mkdirSync(path(repo, "place"));
    write("place/x.ignored", "ignored\n");
    write("other.ignored", "ignored\n");
    const before = (await snapshots.restore(one, worktree()))!;
    expect([read("place"), read("other.ignored")]).toEqual(["file\n", "ignored\n"]);
    expect(git(repo, "show", `${before.ref}:place/x.ignored`)).toBe("ignored");
  });

  it("does not take away what the restored rules ignore", async () => {
    write("new", "x");
    const one = await taken();
    write("x.ignored", "precious\n");
    fs.rmSync(path(repo, ".gitignore"));
    await snapshots.restore(one, worktree());
    expect(read("x.ignored")).toBe("precious\n");
  });

  it("refuses to clear a folder with a repository somewhere in it, before it touches anything", async () => {
    write("place", "file\n");
    const one = await taken();
    fs.rmSync(path(repo, "place"));
    fs.mkdirSync(path(repo, "place/deep"), { recursive: true });
    git(repo, "init", "-q", "place/deep/repo");
    write("place/deep/x", "x");
    await expect(snapshots.restore(one, worktree())).rejects.toMatchObject({
      problem: "snapshot/in-the-way",
    });
    expect(read("place/deep/x")).toBe("x");
  });

  it("refuses to write into a nested repository", async () => {
    fs.mkdirSync(path(repo, "folder"));
    write("folder/file", "x");
    const one = await taken();
    fs.rmSync(path(repo, "folder"), { recursive: true });
    git(repo, "init", "-q", "folder");
    await expect(snapshots.restore(one, worktree())).rejects.toMatchObject({
      problem: "snapshot/in-the-way",
    });
  });

  it("never writes through a link that took the place of a folder", async () => {
    fs.mkdirSync(path(repo, "folder"));
    write("folder/file", "x");
    const one = await taken();
    fs.rmSync(path(repo, "folder"), { recursive: true });
    fs.mkdirSync(path(`${repo}-outside`));
    fs.symlinkSync(path(`${repo}-outside`), path(repo, "folder"));
    await snapshots.restore(one, worktree());
    expect(fs.readdirSync(path(`${repo}-outside`))).toEqual([]);
    expect(read("folder/file")).toBe("x");
  });
});

describe("restoreTo", () => {
  it("refuses a folder with something in it, and takes an empty one", async () => {
    write("new", "x");
    const one = await taken();
    const folder = path(`${repo}-to`);
    fs.mkdirSync(folder);
    fs.writeFileSync(join(folder, "mine"), "mine");
    await expect(snapshots.restoreTo(one, folder)).rejects.toMatchObject({ problem: "file/exists" });
    fs.rmSync(join(folder, "mine"));
    await snapshots.restoreTo(one, folder);
    expect(fs.readFileSync(join(folder, "tracked"), "utf8")).toBe("committed\n");
  });
});

describe("find and drop", () => {
  it("finds by any end of the ref or the beginning of the commit, and refuses a choice", async () => {
    write("new", "x");
    const one = await taken();
    write("new", "y");
    const two = await taken();
    expect(await snapshots.find(one.ref)).toEqual(one);
    expect(await snapshots.find(one.ref.slice(-6))).toEqual(one);
    expect(await snapshots.find(two.commit.slice(0, 10))).toEqual(two);
    await expect(snapshots.find("nonsense")).rejects.toMatchObject({ problem: "snapshot/not-found" });
    await expect(snapshots.find("")).rejects.toMatchObject({ problem: "snapshot/not-found" });
    if (one.ref.at(-1) !== two.ref.at(-1)) return;
    await expect(snapshots.find(one.ref.slice(-1))).rejects.toMatchObject({ problem: "snapshot/ambiguous" });
  });

  it("drops the ref and leaves the commit", async () => {
    write("new", "x");
    const one = await taken();
    await snapshots.drop(one);
    expect(refs()).toBe("");
    expect(git(repo, "cat-file", "-t", one.commit)).toBe("commit");
  });

  it("overlooks refs that are no snapshots", async () => {
    git(repo, "update-ref", "refs/pawl/snapshots/main/forged", "HEAD");
    expect(await snapshots.list()).toEqual([]);
  });
});

describe("in a repository whose settings name programs", () => {
  it("runs none of them", async () => {
    const canary = path(`${repo}-canary`);
    const program = `sh -c 'echo "$0 $*" >> ${canary}; cat'`;
    fs.mkdirSync(path(repo, ".git/evil"), { recursive: true });
    for (const hook of ["reference-transaction", "post-index-change", "pre-auto-gc", "post-checkout"]) {
      fs.writeFileSync(path(repo, ".git/evil", hook), `#!/bin/sh\necho ${hook} >> ${canary}\n`, {
        mode: 0o755,
      });
    }
    for (const [key, value] of [
      ["filter.x.clean", program],
      ["filter.x.smudge", program],
      ["filter.x.process", program],
      ["filter.x.required", "true"],
      ["filter.a=b.clean", program],
      ["core.fsmonitor", program],
      ["core.hooksPath", path(repo, ".git/evil")],
      ["diff.external", program],
      ["diff.x.textconv", program],
      ["core.pager", program],
      ["core.editor", program],
      ["gpg.program", program],
      ["commit.gpgSign", "true"],
      ["core.attributesFile", path(`${repo}-attributes`)],
    ] as const) {
      git(repo, "-c", "core.fsmonitor=false", "config", key, value);
    }
    fs.writeFileSync(path(`${repo}-attributes`), "* filter=x diff=x\n");
    const modes: readonly string[] = ["", "* filter=x diff=x\n", "* filter=a=b\n"];
    for (const [at, attributes] of modes.entries()) {
      if (attributes !== "") write(".gitattributes", attributes);
      write("tracked", `changed ${at}\n`);
      fs.writeFileSync(path(repo, "raw.bin"), Buffer.from([0, 13, 10, 255, at]));
      const snapshot = await taken();
      fs.writeFileSync(path(repo, "raw.bin"), "other");
      write("tracked", "racy\n");
      await snapshots.restore(snapshot, worktree());
      await snapshots.restoreTo(snapshot, path(`${repo}-copy-${at}`));
      await snapshots.changes(snapshot);
      expect([...fs.readFileSync(path(`${repo}-copy-${at}`, "raw.bin"))]).toEqual([0, 13, 10, 255, at]);
    }
    await snapshots.drop((await snapshots.list())[0]!);
    expect(fs.existsSync(canary) ? fs.readFileSync(canary, "utf8") : "nothing ran").toBe("nothing ran");
    // Git itself runs them: the trap was set.
    fs.utimesSync(path(repo, "tracked"), 1e9, 1e9);
    expect(() => git(repo, "status")).not.toThrow();
    expect(fs.existsSync(canary)).toBe(true);
  });
});
