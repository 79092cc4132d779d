import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compose } from "../../src/compose.ts";
import { type Pawl, pawlOn } from "../../src/api.ts";
import { loadDriver } from "../../src/platform/sqlite/driver.ts";
import { type ChildPrograms, childPrograms, ended } from "../support/child-program.ts";
import { SMALL_PLAN } from "../support/plans.ts";
import { cleanEnv, testRepository, type TestRepository } from "../support/repository.ts";
import { git } from "../support/worktree-shop.ts";
import type { VerbCall, VerbOutput } from "./programs/verb.ts";

/**
 * Kills `worktree create`, `remove`, `clean`, `merge` and `sync` at every effect: each call of git, each file, each statement.
 *
 * Then the same call is made again, undisturbed, and the repository must be as if the first call had gone well: the
 * same worktrees, branches and files, every saved byte found again, and sound to `git fsck`.
 */

interface Scenario {
  readonly name: string;
  readonly prepare: (stage: { readonly repo: TestRepository; readonly pawl: Pawl }) => Promise<VerbCall>;
  /** What must hold in the end besides the looks of the repository. */
  readonly check: (repo: TestRepository) => void;
  /** A second call finds the base as the first left it, so the commit it made may be another one. */
  readonly commitsDiffer?: boolean;
}

const worktreeOf = (repo: TestRepository): string => join(repo.path, ".pawl/worktrees/plan");

function commitIn(folder: string, name: string, content: string, step?: string): void {
  writeFileSync(join(folder, name), content);
  git(folder, "add", "--all");
  git(
    folder,
    "commit",
    "-q",
    "-m",
    `work ${name}`,
    ...(step ? ["-m", `Pawl-Plan: plan.md\nPawl-Step: ${step}`] : []),
  );
}

async function withWork({ repo, pawl }: Parameters<Scenario["prepare"]>[0]): Promise<void> {
  await pawl.createWorktree({ plan: "plan.md" });
  commitIn(worktreeOf(repo), "ground", "ground", "step-0");
  commitIn(worktreeOf(repo), "walls", "walls", "step-1");
}

/** Neither the worktree nor anything that was moved aside while it went. */
const expectNothingLeft = (repo: TestRepository): void =>
  expect(readdirSync(dirname(worktreeOf(repo)))).toEqual([".gitignore"]);

/** How many lines of the journal tell of it. */
function linesOf(repo: TestRepository, event: string): number {
  const database = loadDriver().open(join(repo.path, ".git/pawl/state.db"), {});
  try {
    const row = database.prepare("select count(*) as lines from events where event = ?").get(event);
    return (row as { lines: number }).lines;
  } finally {
    database.close();
  }
}

const atBase = (repo: TestRepository, name: string): string => git(repo.path, "show", `main:${name}`);

const SCENARIOS: readonly Scenario[] = [
  {
    name: "create, with included files and a set-up command",
    async prepare({ repo, pawl }) {
      // Making state is killed at every effect elsewhere.
      await pawl.init({ plan: "plan.md" });
      repo.write("pawl.toml", 'worktree_setup = ["sh", "-c", "echo ready > set-up"]\n');
      repo.write(".gitignore", ".env\n");
      repo.write(".worktreeinclude", ".env\n");
      repo.write(".env", "TOKEN=1");
      return { verb: "createWorktree", request: { plan: "plan.md" } };
    },
    check(repo) {
      expect(readFileSync(join(worktreeOf(repo), ".env"), "utf8")).toBe("TOKEN=1");
      expect(readFileSync(join(worktreeOf(repo), "set-up"), "utf8")).toBe("ready\n");
      expect(readdirSync(worktreeOf(repo)).filter((name) => name.includes("pawl-part"))).toEqual([]);
      expect(linesOf(repo, "worktree-created")).toBe(1);
    },
  },
  {
    name: "create again, when the folder is gone",
    async prepare(stage) {
      await withWork(stage);
      rmSync(worktreeOf(stage.repo), { recursive: true });
      return { verb: "createWorktree", request: { plan: "plan.md" } };
    },
    check: (repo) => expect(readFileSync(join(worktreeOf(repo), "walls"), "utf8")).toBe("walls"),
  },
  {
    name: "remove, over uncommitted work and an unmerged branch",
    async prepare(stage) {
      await withWork(stage);
      writeFileSync(join(worktreeOf(stage.repo), "unsaved"), "precious");
      writeFileSync(join(worktreeOf(stage.repo), "ground"), "changed");
      return { verb: "removeWorktree", request: { target: worktreeOf(stage.repo), deleteBranch: true } };
    },
    check(repo) {
      const refs = (kind: string) =>
        git(repo.path, "for-each-ref", "--format=%(refname)", `refs/pawl/${kind}`);
      const snapshots = refs("snapshots").split("\n");
      expect(
        snapshots.some(
          (ref) =>
            git(repo.path, "ls-tree", "--name-only", ref).includes("unsaved") &&
            git(repo.path, "show", `${ref}:unsaved`) === "precious" &&
            git(repo.path, "show", `${ref}:ground`) === "changed",
        ),
      ).toBe(true);
      expect(git(repo.path, "show", `${refs("rescue").split("\n")[0]}:walls`)).toBe("walls");
      expectNothingLeft(repo);
    },
  },
  {
    name: "remove, where everything is committed",
    async prepare(stage) {
      await withWork(stage);
      return { verb: "removeWorktree", request: { target: worktreeOf(stage.repo), deleteBranch: true } };
    },
    check(repo) {
      const rescued = git(repo.path, "for-each-ref", "--format=%(refname)", "refs/pawl/rescue");
      expect(git(repo.path, "show", `${rescued.split("\n")[0]}:walls`)).toBe("walls");
      expectNothingLeft(repo);
    },
  },
  {
    name: "clean, over uncommitted work and an unmerged branch",
    async prepare(stage) {
      await withWork(stage);
      writeFileSync(join(worktreeOf(stage.repo), "unsaved"), "precious");
      return { verb: "cleanWorktrees", request: { olderThanMs: 1, deleteBranch: true } };
    },
    check(repo) {
      const refs = (kind: string) =>
        git(repo.path, "for-each-ref", "--format=%(refname)", `refs/pawl/${kind}`).split("\n");
      // One of what was left by a kill has no such file any more.
      const holding = refs("snapshots").filter((ref) =>
        git(repo.path, "ls-tree", "--name-only", ref).includes("unsaved"),
      );
      expect(holding.map((ref) => git(repo.path, "show", `${ref}:unsaved`))).toContain("precious");
      expect(git(repo.path, "show", `${refs("rescue")[0]}:walls`)).toBe("walls");
      expectNothingLeft(repo);
    },
  },
  {
    name: "merge, into the branch that is checked out",
    async prepare(stage) {
      commitIn(stage.repo.path, "old", "old");
      commitIn(stage.repo.path, "shape", "a file");
      await withWork(stage);
      rmSync(join(worktreeOf(stage.repo), "old"));
      rmSync(join(worktreeOf(stage.repo), "shape"));
      mkdirSync(join(worktreeOf(stage.repo), "shape"));
      commitIn(worktreeOf(stage.repo), "shape/inside", "inside");
      commitIn(stage.repo.path, "elsewhere", "elsewhere");
      writeFileSync(join(stage.repo.path, "mine"), "not committed");
      return { verb: "mergeWorktree", request: { target: "plan.md" } };
    },
    commitsDiffer: true,
    check(repo) {
      expect(readFileSync(join(repo.path, "walls"), "utf8")).toBe("walls");
      expect(readFileSync(join(repo.path, "mine"), "utf8")).toBe("not committed");
      expect(git(repo.path, "rev-list", "--count", "--merges", "main")).toBe("1");
      expect(git(repo.path, "status", "--porcelain")).toBe("?? mine");
      expect(readFileSync(join(repo.path, "shape/inside"), "utf8")).toBe("inside");
      expect(existsSync(join(repo.path, "old"))).toBe(false);
      expect(readdirSync(join(repo.path, ".git")).filter((name) => /lock|forward/.test(name))).toEqual([]);
      expect(linesOf(repo, "worktree-merged")).toBe(1);
    },
  },
  {
    name: "sync, of a branch that is checked out",
    async prepare(stage) {
      await withWork(stage);
      commitIn(stage.repo.path, "elsewhere", "elsewhere");
      writeFileSync(join(worktreeOf(stage.repo), "mine"), "not committed");
      return { verb: "syncWorktree", request: { target: "plan.md" } };
    },
    commitsDiffer: true,
    check(repo) {
      const worktree = worktreeOf(repo);
      expect(readFileSync(join(worktree, "elsewhere"), "utf8")).toBe("elsewhere");
      expect(readFileSync(join(worktree, "mine"), "utf8")).toBe("not committed");
      expect(git(repo.path, "rev-list", "--count", "--merges", "pawl/plan")).toBe("1");
      expect(git(worktree, "status", "--porcelain")).toBe("?? mine");
      expect(linesOf(repo, "branch-synced")).toBe(1);
    },
  },
  {
    name: "merge --squash, with hooks, into a branch that is not checked out",
    async prepare(stage) {
      await withWork(stage);
      git(stage.repo.path, "switch", "-q", "-c", "side");
      stage.repo.write(".git/hooks/commit-msg", "#!/bin/sh\ntest -f walls\n");
      git(stage.repo.path, "config", "core.hooksPath", join(stage.repo.path, "hooks"));
      stage.repo.write("hooks/commit-msg", "#!/bin/sh\ntest -f walls\n");
      return { verb: "mergeWorktree", request: { target: "plan.md", squash: true } };
    },
    commitsDiffer: true,
    check(repo) {
      expect(atBase(repo, "walls")).toBe("walls");
      expect(
        git(repo.path, "log", "main", "--format=%(trailers:key=Pawl-Step,valueonly)").match(/step-\d/g),
      ).toEqual(["step-0", "step-1"]);
    },
  },
];

/** Some hundred kills, each with two runs and a look at everything. */
const LONG_MS = 1_800_000;

let programs: ChildPrograms<"verb">;
const repositories: TestRepository[] = [];
const points = new Map<string, number>();

beforeAll(async () => {
  programs = await childPrograms("verb");
});

afterAll(() => {
  for (const repository of repositories) repository.remove();
  programs.remove();
  console.log(
    [...points].map(([name, count]) => `${String(count).padStart(5)} crash points  ${name}`).join("\n"),
  );
});

// proves G-no-uncommitted-work-lost, G-never-half-merged
describe("after a kill at any effect, the same command finishes the job", () => {
  it.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
    "%s",
    { timeout: LONG_MS },
    async (name, scenario) => {
      const lanes = await Promise.all([makeLane(scenario), makeLane(scenario)]);
      const wanted = await Promise.all(lanes.map((lane) => lane.undisturbed()));
      const { moments } = wanted[0]!;
      points.set(name, moments);
      expect(moments).toBeGreaterThan(20);
      let at = 0;
      await Promise.all(
        lanes.map(async (lane, index) => {
          while (at < moments) await lane.crash((at += 1), wanted[index]!.looks);
        }),
      );
    },
  );
});

/** How far apart the kills are that hit the repair of a kill: all pairs would be some ten thousand. */
const APART = { first: 7, second: 11 };

// proves G-no-uncommitted-work-lost, G-never-half-merged
describe("after a kill in the repair of a kill, the same command finishes the job", () => {
  it.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
    "%s",
    { timeout: LONG_MS },
    async (name, scenario) => {
      const lanes = await Promise.all([makeLane(scenario), makeLane(scenario)]);
      const wanted = await Promise.all(lanes.map((lane) => lane.undisturbed()));
      const { moments } = wanted[0]!;
      let first = 1 - APART.first;
      let pairs = 0;
      await Promise.all(
        lanes.map(async (lane, index) => {
          while (first + APART.first <= moments) {
            const at = (first += APART.first);
            // Each first kill starts elsewhere, so that together they reach every part of the repair.
            for (let again = 1 + (at % APART.second); ; again += APART.second) {
              if (!(await lane.crashTwice(at, again, wanted[index]!.looks))) break;
              pairs += 1;
            }
          }
        }),
      );
      expect(pairs).toBeGreaterThan(10);
      points.set(`${name}, killed twice`, pairs);
    },
  );
});

async function makeLane(scenario: Scenario) {
  const repo = testRepository();
  repositories.push(repo);
  rmSync(join(repo.path, ".git/hooks"), { recursive: true });
  repo.write("plan.md", SMALL_PLAN);
  git(repo.path, "add", "--all");
  git(repo.path, "commit", "-q", "-m", "a plan");
  const pawl = pawlOn(await compose({ cwd: repo.path, env: cleanEnv() }));
  const call = await scenario.prepare({ repo, pawl });
  await pawl.close();
  const home = dirname(repo.path);
  renameSync(home, `${home}.template`);
  const trace = `${home}.trace`;
  const restore = () => {
    rmSync(home, { recursive: true, force: true });
    cpSync(`${home}.template`, home, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  };
  const run = (at: number) => ended(programs.start("verb", { cwd: repo.path, at, trace, call }));
  const complete = async (when: string): Promise<number> => {
    const { code, stdout, stderr } = await run(0);
    expect({ code, stderr, when }).toEqual({ code: 0, stderr: "", when });
    const output = JSON.parse(stdout) as VerbOutput;
    expect({ when, failure: "failure" in output ? output.failure : null }).toEqual({ when, failure: null });
    return output.moments;
  };
  const checkAfter = (moment: string, wanted: Looks) => {
    scenario.check(repo);
    expect({ ...looksOf(repo, scenario), moment }).toEqual({ ...wanted, moment });
  };
  return {
    async undisturbed() {
      restore();
      const moments = await complete("undisturbed");
      scenario.check(repo);
      return { moments, looks: looksOf(repo, scenario) };
    },
    async crash(at: number, wanted: Looks) {
      restore();
      rmSync(trace, { force: true });
      const first = await run(at);
      expect({ ...first, at }).toMatchObject({ signal: "SIGKILL" });
      const moment = readFileSync(trace, "utf8");
      await complete(`after a kill at ${moment}`);
      checkAfter(moment, wanted);
    },
    /** False when the repair was over before it could be killed. */
    async crashTwice(at: number, again: number, wanted: Looks): Promise<boolean> {
      restore();
      rmSync(trace, { force: true });
      expect(await run(at)).toMatchObject({ signal: "SIGKILL" });
      const { signal } = await run(again);
      const moment = `${at}, then ${again}: ${readFileSync(trace, "utf8")}`;
      if (signal === "SIGKILL") await complete(`after kills at ${moment}`);
      checkAfter(moment, wanted);
      return signal === "SIGKILL";
    },
  };
}

interface Looks {
  readonly branches: string;
  readonly worktrees: string;
  readonly files: string;
  readonly sound: string;
}

/** What people and git see of the repository. Commits made now have another time in each run; their content counts. */
function looksOf(repo: TestRepository, { commitsDiffer = false }: Scenario): Looks {
  const format = commitsDiffer ? "%(refname) %(tree)" : "%(refname) %(objectname)";
  const worktrees = git(repo.path, "worktree", "list", "--porcelain");
  return {
    branches: git(repo.path, "for-each-ref", `--format=${format}`, "refs/heads"),
    worktrees: commitsDiffer ? worktrees.replaceAll(/^HEAD .*$/gm, "") : worktrees,
    files: git(repo.path, "status", "--porcelain"),
    sound: git(repo.path, "fsck", "--no-dangling"),
  };
}
