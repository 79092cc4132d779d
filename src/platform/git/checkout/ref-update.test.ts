import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { cleanEnv, testRepository, type TestRepository } from "../../../../test/support/repository.ts";
import { Failure } from "../../../domain/index.ts";
import { onAbandonedLock } from "../locks/abandoned-lock.ts";
import { gitRunner, type RunGit } from "../process/run-git.ts";
import { aroundRefUpdate } from "./ref-update.ts";

let repo: TestRepository;
let first: string;
let second: string;

beforeEach(() => {
  repo = testRepository();
  first = repo.git("rev-parse", "HEAD");
  second = repo.git("commit-tree", "HEAD^{tree}", "-p", first, "-m", "second");
});

afterEach(() => repo.remove());

const REF = "refs/heads/main";

const move = (from: string, to: string, work: () => Promise<void> = async () => {}) =>
  aroundRefUpdate(
    gitRunner({ gitDir: join(repo.path, ".git"), env: cleanEnv() }),
    repo.path,
    { ref: REF, from, to },
    work,
  );

const tip = () => repo.git("rev-parse", REF);

it("moves the ref once the work is done, and notes where it was", async () => {
  let during: string | undefined;
  expect(
    await move(first, second, async () => {
      during = tip();
    }),
  ).toBe(true);
  expect([during, tip(), repo.git("rev-parse", "ORIG_HEAD")]).toEqual([first, second, first]);
});

it("overwrites no commit that came since, and does not begin the work", async () => {
  const theirs = repo.git("commit-tree", "HEAD^{tree}", "-p", first, "-m", "theirs");
  repo.git("update-ref", REF, theirs);
  let isBegun = false;
  const isMoved = await move(first, second, async () => {
    isBegun = true;
  });
  expect([isMoved, isBegun, tip()]).toEqual([false, false, theirs]);
});

it("lets no other git move the ref while the work runs", async () => {
  let refusal = "";
  await move(first, second, async () => {
    try {
      repo.git("-c", "core.filesRefLockTimeout=0", "update-ref", REF, second, first);
    } catch (error) {
      refusal = String((error as { stderr: unknown }).stderr);
    }
  });
  expect(refusal).toMatch(/cannot lock ref 'refs\/heads\/main'/);
});

it("leaves the ref where it is when the work fails, and gives the failure as the cause", async () => {
  const failure = new Error("no room");
  const moving = move(first, second, async () => {
    throw failure;
  });
  await expect(moving).rejects.toMatchObject({ problem: "git/failed", cause: failure });
  expect(tip()).toBe(first);
});

it("continues where a killed git has left its locks in a place of Pawl's own", async () => {
  const ref = "refs/heads/pawl/plan-w1";
  repo.git("update-ref", ref, first);
  const lock = join(repo.path, ".git", `${ref}.lock`);
  writeFileSync(lock, "");
  const real = gitRunner({ gitDir: join(repo.path, ".git"), env: cleanEnv() });
  // Git itself would wait ten seconds before it says so.
  const run: RunGit = async (call) => {
    if (!existsSync(lock)) return real(call);
    const said = `fatal: prepare: cannot lock ref '${ref}': Unable to create '${lock}': File exists.`;
    throw new Failure("git/failed", said, { stderr: [said] });
  };
  const heard: string[] = [];
  onAbandonedLock(({ problem }) => heard.push(problem));
  onTestFinished(() => onAbandonedLock(undefined));
  let begun = 0;
  const isMoved = await aroundRefUpdate(run, repo.path, { ref, from: first, to: second }, async () => {
    begun += 1;
  });
  expect([isMoved, begun, repo.git("rev-parse", ref), heard]).toEqual([true, 1, second, ["git/lock-left"]]);
});

it("does not repeat work that was begun when git then complains of a lock", async () => {
  const ref = "refs/heads/pawl/plan-w1";
  repo.git("update-ref", ref, first);
  const lock = join(repo.path, ".git", `${ref}.lock`);
  const said = `fatal: commit: cannot lock ref '${ref}': Unable to create '${lock}': File exists.`;
  writeFileSync(lock, "");
  const run: RunGit = async ({ input, onOutput }) => {
    onOutput?.(Buffer.from("prepare: ok\n"));
    for await (const part of input as AsyncIterable<Uint8Array>) void part;
    throw new Failure("git/failed", said, { stderr: [said] });
  };
  let begun = 0;
  const moving = aroundRefUpdate(run, repo.path, { ref, from: first, to: second }, async () => {
    begun += 1;
  });
  await expect(moving).rejects.toMatchObject({ problem: "git/failed" });
  expect(begun).toBe(1);
});
