import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compose } from "../../src/compose.ts";
import { pawlOn } from "../../src/api.ts";
import { type ChildPrograms, childPrograms, ended } from "../support/child-program.ts";
import { gitSeen, see } from "../support/dirty-trees.ts";
import { SMALL_PLAN } from "../support/plans.ts";
import { cleanEnv, testRepository, type TestRepository } from "../support/repository.ts";
import type { VerbCall, VerbOutput } from "./programs/verb.ts";

/**
 * Kills taking and restoring at every effect.
 *
 * After each kill the repository is whole, everything that was there before is on disk or in a snapshot, and the same
 * call again ends where an undisturbed one does.
 */

let programs: ChildPrograms<"verb">;
const repositories: TestRepository[] = [];

beforeAll(async () => {
  programs = await childPrograms("verb");
});
afterAll(() => {
  for (const repository of repositories) repository.remove();
  programs.remove();
});

/** Fewer than this many moments means that effects are no longer seen. */
const SUSPICIOUSLY_FEW = 10;
/** Some hundred kills, each with two runs of git after it. */
const LONG_MS = 1_800_000;

// proves G-no-uncommitted-work-lost
describe("after a kill at any effect", () => {
  it(
    "taking again finds the worktree as it was and keeps all of it",
    async () => {
      const repo = conflicted();
      const wanted = { files: see(repo.path).files, git: gitSeen(repo.path) };
      const { files, git } = await everyMoment(
        repo,
        { verb: "takeSnapshot", request: { worktree: repo.path } },
        (output) => {
          const { snapshot } = (output as { answer: { snapshot: { ref: string } } }).answer;
          return { files: see(repo.path).files, git: gitSeen(repo.path), tree: treeOf(repo, snapshot.ref) };
        },
      );
      expect({ files, git }).toEqual(wanted);
    },
    LONG_MS,
  );

  it(
    "dropping again says what was dropped, and the journal tells where it was",
    async () => {
      const repo = conflicted();
      const pawl = pawlOn(await compose({ cwd: repo.path, env: cleanEnv() }));
      repo.write("plan.md", SMALL_PLAN);
      await pawl.init({ plan: "plan.md" });
      const { snapshot } = await pawl.takeSnapshot({ worktree: repo.path });
      await pawl.close();
      const { ref, commit } = snapshot!;
      const wanted = await everyMoment(repo, { verb: "dropSnapshot", request: { name: ref } }, (output) => ({
        answer: (output as { answer: unknown }).answer,
        refs: repo.git("for-each-ref", "--format=%(refname)", "refs/pawl/snapshots"),
        object: repo.git("cat-file", "-t", commit),
      }));
      expect(wanted).toMatchObject({ answer: { dropped: true, snapshot: { commit } }, refs: "" });
    },
    LONG_MS,
  );

  it(
    "restoring again brings all of it back, and loses nothing of what was there",
    async () => {
      const repo = conflicted();
      const wanted = { files: see(repo.path).files, git: gitSeen(repo.path) };
      const pawl = pawlOn(await compose({ cwd: repo.path, env: cleanEnv() }));
      const { snapshot } = await pawl.takeSnapshot({ worktree: repo.path });
      repo.git("merge", "--abort");
      writeFileSync(join(repo.path, "both"), "something else\n");
      rmSync(join(repo.path, "only-ours"));
      writeFileSync(join(repo.path, "appeared"), "work of today\n");
      repo.git("add", "appeared");
      const name = snapshot!.ref;
      const last = await everyMoment(
        repo,
        { verb: "restoreSnapshot", request: { name, worktree: repo.path } },
        () => {
          expect(heldSomewhere(repo, "appeared")).toContain("work of today");
          return { files: see(repo.path).files, git: gitSeen(repo.path) };
        },
      );
      expect(last).toEqual(wanted);
    },
    LONG_MS,
  );

  it("copying again makes the folder whole", async () => {
    const repo = conflicted();
    const pawl = pawlOn(await compose({ cwd: repo.path, env: cleanEnv() }));
    const { snapshot } = await pawl.takeSnapshot({ worktree: repo.path });
    const to = join(dirname(repo.path), "copy");
    const last = await everyMoment(
      repo,
      { verb: "restoreSnapshot", request: { name: snapshot!.ref, to } },
      () => see(to).files,
    );
    expect(last).toEqual(see(repo.path).files);
  });
});

/** In the middle of a merge, with changes and new files beside the conflict. */
function conflicted(): TestRepository {
  const repo = testRepository();
  repositories.push(repo);
  const commit = (name: string): void => {
    repo.write("both", `${name}\n`);
    repo.write(`only-${name}`, `${name}\n`);
    repo.git("add", "-A");
    repo.git("commit", "-q", "-m", name);
  };
  commit("first");
  repo.git("checkout", "-q", "-b", "other");
  commit("theirs");
  repo.git("checkout", "-q", "main");
  commit("ours");
  expect(() => repo.git("merge", "other")).toThrow();
  repo.write("new", "new\n");
  repo.write("only-first", "changed\n");
  mkdirSync(join(repo.path, "folder"));
  symlinkSync("nowhere", join(repo.path, "folder/link"));
  rmSync(join(repo.path, ".git/hooks"), { recursive: true });
  return repo;
}

/** Runs a call undisturbed, then once for each of its moments: killed there, and then again to its end. */
async function everyMoment<T>(
  repo: TestRepository,
  call: VerbCall,
  outcome: (output: VerbOutput) => T,
): Promise<T> {
  const home = dirname(repo.path);
  const template = `${home}.template`;
  const trace = `${home}.trace`;
  const run = async (at: number) => ended(programs.start("verb", { cwd: repo.path, at, trace, call }));
  const restore = (): void => {
    rmSync(home, { recursive: true, force: true });
    cpSync(template, home, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  };
  const finish = async (when: string): Promise<{ readonly moments: number; readonly result: T }> => {
    const { stdout, stderr, code } = await run(0);
    expect([code, stderr], when).toEqual([0, ""]);
    const output = JSON.parse(stdout) as VerbOutput;
    expect(output, when).toHaveProperty("answer");
    return { moments: output.moments, result: outcome(output) };
  };
  renameSync(home, template);
  try {
    restore();
    const wanted = await finish("undisturbed");
    expect(wanted.moments).toBeGreaterThanOrEqual(SUSPICIOUSLY_FEW);
    for (let at = 1; at <= wanted.moments; at += 1) {
      restore();
      const killed = await run(at);
      expect(killed.signal, `moment ${at}: ${killed.stderr}`).toBe("SIGKILL");
      const when = `after a kill at ${readFileSync(trace, "utf8")}`;
      expect(() => fsck(repo.path), when).not.toThrow();
      const again = await finish(when);
      expect(again.result, when).toEqual(wanted.result);
      fsck(repo.path);
    }
    return wanted.result;
  } finally {
    rmSync(template, { recursive: true, force: true });
    rmSync(trace, { force: true });
  }
}

const treeOf = (repo: TestRepository, ref: string): string => repo.git("ls-tree", "-r", ref);

/** What a file says in the worktree or in any snapshot. */
function heldSomewhere(repo: TestRepository, name: string): string {
  const refs = repo.git("for-each-ref", "--format=%(refname)", "refs/pawl/snapshots").split("\n");
  const texts = refs.map((ref) => {
    try {
      return repo.git("show", `${ref}:${name}`);
    } catch {
      return "";
    }
  });
  return texts.join("\n");
}

function fsck(path: string): void {
  execFileSync("git", ["-C", path, "fsck", "--strict", "--no-dangling", "--no-progress"], {
    env: cleanEnv(),
    stdio: "pipe",
  });
}
