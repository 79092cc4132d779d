import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { recordFlushes } from "../../../../test/support/flush-recorder.ts";
import { cleanEnv, testRepository, type TestRepository } from "../../../../test/support/repository.ts";
import { nodeFiles } from "../../os/node-files.ts";
import { gitRunner } from "../process/run-git.ts";
import { fastForward, finishForward, inTheWay } from "./fast-forward.ts";

let repo: TestRepository;
let gitDir: string;
let from: string;
let to: string;

beforeEach(() => {
  repo = testRepository();
  gitDir = join(repo.path, ".git");
  repo.write("folder/changed", "before\n");
  repo.write("gone", "gone\n");
  commit("before");
  from = repo.git("rev-parse", "HEAD");
  repo.git("switch", "-qc", "ahead");
  repo.write("folder/changed", "after\n");
  repo.write("folder/new", "new\n");
  fs.rmSync(join(repo.path, "gone"));
  commit("after");
  to = repo.git("rev-parse", "HEAD");
  repo.git("switch", "-q", "main");
});

afterEach(() => repo.remove());

function commit(message: string): void {
  repo.git("add", "-A");
  repo.git("commit", "-qm", message);
}

const setting = () => {
  const git = { gitDir, env: cleanEnv() };
  return { git, run: gitRunner(git), files: nodeFiles };
};

const checkout = () => ({ path: repo.path, gitDir });

const forward = (more = {}) => fastForward(setting(), checkout(), { branch: "main", to, ...more });

const read = (name: string): string | undefined =>
  fs.existsSync(join(repo.path, name)) ? fs.readFileSync(join(repo.path, name), "utf8") : undefined;

const isBefore = (): boolean =>
  repo.git("rev-parse", "main") === from &&
  read("folder/changed") === "before\n" &&
  read("folder/new") === undefined &&
  read("gone") === "gone\n";

const left = (): readonly string[] => fs.readdirSync(gitDir).filter((name) => /forward|lock/.test(name));

it("moves files, index and branch together, and leaves nothing behind", async () => {
  expect(await forward()).toBe(true);
  expect([repo.git("rev-parse", "HEAD"), repo.git("status", "--porcelain")]).toEqual([to, ""]);
  expect([read("folder/changed"), read("folder/new"), read("gone")]).toEqual(["after\n", "new\n", undefined]);
  expect([left(), repo.git("for-each-ref", "refs/pawl")]).toEqual([[], ""]);
});

it("moves a checkout back from exactly where it is said to be", async () => {
  await forward();
  expect(await forward({ to: from, from })).toBe(false);
  expect(await forward({ to: from })).toBe(false);
  expect(await forward({ to: from, from: to })).toBe(true);
  expect([isBefore(), repo.git("status", "--porcelain")]).toEqual([true, ""]);
});

it.each([
  ["a changed file", () => repo.write("folder/changed", "mine\n"), "folder/changed"],
  ["an untracked file in the place of a new one", () => repo.write("folder/new", "mine\n"), "folder/new"],
  ["a file that is to go and was changed", () => repo.write("gone", "mine\n"), "gone"],
  ["a file in the place of a folder", () => replaceFolder(), "folder/changed"],
])("refuses over %s, and touches nothing", async (_, change, name) => {
  change();
  const before = repo.git("status", "--porcelain", "-uall");
  expect(await inTheWay(setting(), checkout(), { from, to })).toContain(name);
  await expect(forward()).rejects.toMatchObject({ problem: "merge/in-the-way" });
  expect([repo.git("rev-parse", "main"), repo.git("status", "--porcelain", "-uall"), left()]).toEqual([
    from,
    before,
    [],
  ]);
});

function replaceFolder(): void {
  fs.rmSync(join(repo.path, "folder"), { recursive: true });
  repo.write("folder", "mine\n");
}

it("moves nothing where another branch is checked out", async () => {
  repo.git("switch", "-qc", "other");
  expect(await forward()).toBe(false);
  expect(isBefore()).toBe(true);
});

/** Does something right after git was asked for something, as another process could. */
function after(verb: string, act: () => void) {
  const { git, run, files } = setting();
  const meanwhile: typeof run = async (call) => {
    const answer = await run(call);
    if (call.args.join(" ").startsWith(verb)) act();
    return answer;
  };
  return fastForward({ git, run: meanwhile, files }, checkout(), { branch: "main", to });
}

it("keeps the files of a person who switched branches before git held HEAD", async () => {
  repo.git("branch", "other");
  const isMoved = await after("ls-files --cached", () =>
    repo.git("symbolic-ref", "HEAD", "refs/heads/other"),
  );
  expect([isMoved, isBefore(), left()]).toEqual([false, true, []]);
});

it("takes back every file when something fails after the last of them", async () => {
  const moving = after("update-index -q --refresh", () => {
    throw new Error("no room");
  });
  await expect(moving).rejects.toMatchObject({ problem: "merge/refused" });
  expect([isBefore(), left(), repo.git("status", "--porcelain")]).toEqual([true, [], ""]);
});

it("flushes new files before any changes places, and the folders and the branch after it", async () => {
  const recorder = recordFlushes();
  try {
    await forward();
  } finally {
    recorder.stop();
  }
  const placed = recorder.at(new RegExp(`^rename .* ${join(repo.path, "folder/changed")}$`));
  const moved = recorder.at(/^git .*update-ref --stdin/);
  const intent = recorder.at(/^rename .*\/intent\.json$/);
  for (const name of ["folder/changed", "folder/new"]) {
    const flushed = recorder.at(new RegExp(`^fsync .*pawl-forward/trees/new/${name}$`));
    expect(flushed).toBeGreaterThan(-1);
    expect(flushed).toBeLessThan(intent);
  }
  expect(recorder.at(/^sync .*objects$/)).toBeGreaterThan(-1);
  expect(recorder.at(/^sync .*objects$/)).toBeLessThan(intent);
  expect(intent).toBeLessThan(placed);
  for (const folder of ["", "folder"]) {
    const flushed = recorder.at(`fsync ${join(repo.path, folder).replace(/\/$/, "")}`);
    expect(flushed).toBeGreaterThan(placed);
    expect(flushed).toBeLessThan(moved);
  }
  const index = recorder.at(
    `rename ${join(gitDir, `pawl-forward/index-${process.pid}`)} ${join(gitDir, "index")}`,
  );
  expect(recorder.events.indexOf(`fsync ${gitDir}`, index)).toBeGreaterThan(index);
  expect(recorder.events.indexOf(`fsync ${gitDir}`, index)).toBeLessThan(moved);
  expect(recorder.at(`fsync ${join(gitDir, "refs/heads")}`)).toBeGreaterThan(moved);
});

it("takes back every rename when one of them fails", async () => {
  const blocked = join(repo.path, "folder/new");
  const rename = fs.renameSync;
  const restore = failing((a, b) => {
    if (String(b) === blocked) throw Object.assign(new Error("no"), { code: "EIO" });
    return rename(a, b);
  });
  try {
    await expect(forward()).rejects.toMatchObject({ problem: "merge/refused" });
  } finally {
    restore();
  }
  expect([isBefore(), left(), repo.git("status", "--porcelain")]).toEqual([true, [], ""]);
});

/** Cuts a move off among its renames, as a kill would: nothing of it is undone in this process. */
async function cutOff(move: () => Promise<unknown>): Promise<void> {
  const rename = fs.renameSync;
  let renames = 0;
  const restore = failing((a, b) => {
    if (String(b).startsWith(join(repo.path, "folder")) && (renames += 1) > 1) throw new Cut();
    if (renames > 1) throw new Cut();
    return rename(a, b);
  });
  try {
    await expect(move()).rejects.toThrow();
  } finally {
    restore();
  }
  fs.rmSync(join(gitDir, "index.lock"), { force: true });
}

it("finishes a move that was cut off among its renames", async () => {
  await cutOff(forward);
  expect(await finishForward(setting(), checkout())).toBe(to);
  expect([repo.git("rev-parse", "main"), repo.git("status", "--porcelain"), left()]).toEqual([to, "", []]);
});

describe("with work that is not committed", () => {
  let own: string;
  let merged: string;

  beforeEach(() => {
    repo.write("folder/work", "work\n");
    repo.git("add", "-A");
    own = repo.git("commit-tree", repo.git("write-tree"), "-p", from, "-m", "own");
    const index = { GIT_INDEX_FILE: join(gitDir, "merged-index") };
    const onMerged = (...args: readonly string[]) =>
      execFileSync("git", args, { cwd: repo.path, env: { ...cleanEnv(), ...index } })
        .toString()
        .trim();
    onMerged("read-tree", to);
    onMerged(
      "update-index",
      "--add",
      "--cacheinfo",
      `100644,${repo.git("hash-object", "folder/work")},folder/work`,
    );
    merged = repo.git("commit-tree", onMerged("write-tree"), "-p", to, "-m", "merged");
  });

  const move = () => forward({ from: own, to: merged, head: { from, to }, isKept: true, isAddedNext: true });
  const isMoved = () => {
    expect([repo.git("rev-parse", "main"), left()]).toEqual([to, []]);
    expect(repo.git("status", "--porcelain")).toBe("A  folder/work");
    expect([read("folder/changed"), read("folder/work"), read("gone")]).toEqual([
      "after\n",
      "work\n",
      undefined,
    ]);
  };

  it("moves the branch to one commit and the files to that and the work", async () => {
    expect(await move()).toBe(true);
    isMoved();
  });

  it("moves nothing where the branch is elsewhere", async () => {
    repo.git("update-ref", "refs/heads/main", own);
    expect(await move()).toBe(false);
    expect([read("folder/changed"), read("folder/new")]).toEqual(["before\n", undefined]);
  });

  it("finishes a move that was cut off, and answers what is checked out", async () => {
    await cutOff(move);
    expect(await finishForward(setting(), checkout())).toBe(to);
    isMoved();
  });

  it("takes a move back whose commit is gone after a crash, with the work in its place", async () => {
    await cutOff(move);
    fs.rmSync(join(gitDir, "objects", merged.slice(0, 2), merged.slice(2)));
    expect(await finishForward(setting(), checkout())).toBeUndefined();
    expect([isBefore(), read("folder/work"), left()]).toEqual([true, "work\n", []]);
    expect(repo.git("status", "--porcelain")).toBe("A  folder/work");
  });

  it("flushes the objects that are new to it before anything says that it will move", async () => {
    const recorder = recordFlushes();
    try {
      await move();
    } finally {
      recorder.stop();
    }
    const intent = recorder.at(/^rename .*\/intent\.json$/);
    const names = [
      merged,
      repo.git("rev-parse", `${merged}^{tree}`),
      repo.git("rev-parse", `${merged}:folder`),
    ];
    for (const name of names) {
      const flushed = recorder.at(`fsync ${join(gitDir, "objects", name.slice(0, 2), name.slice(2))}`);
      expect(flushed).toBeGreaterThan(-1);
      expect(flushed).toBeLessThan(intent);
    }
  });
});

class Cut extends Error {}

/** Puts another rename in place of Node's, also for modules that imported it before. */
function failing(rename: typeof fs.renameSync): () => void {
  const own = createRequire(import.meta.url)("node:fs") as { renameSync: typeof fs.renameSync };
  const original = own.renameSync;
  own.renameSync = rename;
  syncBuiltinESMExports();
  return () => {
    own.renameSync = original;
    syncBuiltinESMExports();
  };
}
