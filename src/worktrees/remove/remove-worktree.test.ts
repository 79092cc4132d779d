import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { flatPlan } from "../../../test/support/plans.ts";
import { cleanEnv, testRepository, type TestRepository } from "../../../test/support/repository.ts";
import { compose } from "../../compose.ts";
import type { Ports } from "../../platform/ports/ports.ts";
import type { Worktrees } from "../../platform/ports/worktrees.ts";
import { createWorktree } from "../create/worktree-create.ts";
import { removeWorktree } from "../worktree-remove.ts";

const BRANCH = "pawl/plan";

let repo: TestRepository;
let ports: Ports;
let path: string;

beforeEach(async () => {
  repo = testRepository();
  repo.write("plan.md", flatPlan(1));
  repo.git("add", "-A");
  repo.git("commit", "-qm", "plan");
  ports = await compose({ cwd: repo.path, env: cleanEnv() });
  path = (await createWorktree(ports, { plan: "plan.md" })).worktreePath;
});

afterEach(async () => {
  await (await ports.database()).close();
  repo.remove();
});

const commit = (name: string): string => {
  writeFileSync(join(path, name), `${name}\n`);
  repo.git("-C", path, "add", "-A");
  repo.git("-C", path, "commit", "-qm", name);
  return repo.git("-C", path, "rev-parse", "HEAD");
};

/** The same ports, with the worktrees changed in one place. */
const withWorktrees = (change: (real: Worktrees) => Partial<Worktrees>): Ports => ({
  ...ports,
  worktrees: async () => {
    const real = await ports.worktrees();
    return { ...real, ...change(real) };
  },
});

const remove = (on: Ports = ports, deleteBranch = true) =>
  removeWorktree(on, { target: BRANCH, deleteBranch });

const refs = (): string => repo.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/pawl");

it("keeps commits and files before the worktree and its branch go", async () => {
  const tip = commit("work");
  writeFileSync(join(path, "open"), "not committed\n");
  const answer = await remove();
  expect(answer).toMatchObject({ removed: true, branchDeleted: true, branchName: BRANCH });
  expect(answer.saved.map(({ kind }) => kind).toSorted()).toEqual(["rescue", "snapshot"]);
  expect(existsSync(path)).toBe(false);
  expect(refs()).toContain(tip);
  const snapshot = answer.saved.find(({ kind }) => kind === "snapshot")!;
  expect(repo.git("show", `${snapshot.ref}:open`)).toBe("not committed");
});

it("keeps commits that came to the branch after it was saved", async () => {
  commit("work");
  let late = "";
  const meanwhile = withWorktrees((real) => ({
    detach: async (worktree, survey) => {
      const answer = await real.detach(worktree, survey);
      late = repo.git("commit-tree", `${BRANCH}^{tree}`, "-p", BRANCH, "-m", "late");
      repo.git("update-ref", `refs/heads/${BRANCH}`, late);
      return answer;
    },
  }));
  expect((await remove(meanwhile)).branchDeleted).toBe(true);
  expect(refs()).toContain(late);
});

it("saves again what was written while it was being saved", async () => {
  let looks = 0;
  const meanwhile = withWorktrees((real) => ({
    changes: async (worktree) => {
      const found = await real.changes(worktree);
      looks += 1;
      if (looks === 1) writeFileSync(join(path, "late"), "written after the first look\n");
      return found;
    },
  }));
  const { saved } = await remove(meanwhile);
  const snapshot = saved.find(({ kind }) => kind === "snapshot")!;
  expect(repo.git("show", `${snapshot.ref}:late`)).toBe("written after the first look");
  expect(looks).toBeGreaterThan(4);
});

it("gives up where something never stops writing, and leaves the worktree as it was", async () => {
  let looks = 0;
  const meanwhile = withWorktrees((real) => ({
    changes: async (worktree) => {
      writeFileSync(join(path, "busy"), `${(looks += 1)}\n`.repeat(looks));
      return real.changes(worktree);
    },
  }));
  await expect(remove(meanwhile)).rejects.toMatchObject({ problem: "worktree/changing" });
  expect([existsSync(path), repo.git("rev-parse", "--verify", BRANCH) !== ""]).toEqual([true, true]);
});

it("refuses over what was written after everything was saved, and locks the worktree again", async () => {
  const meanwhile = withWorktrees((real) => ({
    unlock: async (worktree) => {
      await real.unlock(worktree);
      writeFileSync(join(path, "late"), "after the snapshot\n");
    },
  }));
  await expect(remove(meanwhile)).rejects.toMatchObject({ problem: "worktree/changing" });
  const listed = (await (await ports.worktrees()).list()).find((one) => one.path === path);
  expect(listed).toMatchObject({ isReady: true, isMissing: false });
  expect(listed?.lock).toBeDefined();
});

it("keeps what is written by the path even later, and says where it is", async () => {
  const meanwhile = withWorktrees((real) => ({
    unmark: (worktree) => {
      real.unmark(worktree);
      writeFileSync(join(path, "later"), "while it goes\n");
    },
  }));
  const { saved } = await remove(meanwhile, false);
  const folder = saved.find(({ kind }) => kind === "folder")!;
  expect(existsSync(join(folder.ref, "later"))).toBe(true);
});

it("refuses a worktree that holds another repository", async () => {
  repo.git("init", "-q", join(path, "inner"));
  await expect(remove()).rejects.toMatchObject({ problem: "worktree/not-savable" });
  expect(existsSync(join(path, "inner"))).toBe(true);
});

it("finishes a removal that died before the branch went", async () => {
  const tip = commit("work");
  const dying = { ...ports, branches: async () => ({ ...(await ports.branches()), remove: died }) };
  await expect(remove(dying)).rejects.toThrow("died");
  const answer = await remove();
  expect(answer).toMatchObject({ removed: false, branchDeleted: true });
  expect(answer.saved.map(({ kind }) => kind)).toEqual(["rescue"]);
  expect(refs()).toContain(tip);
});

const died = async (): Promise<void> => {
  throw new Error("died");
};
