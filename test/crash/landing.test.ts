import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compose } from "../../src/compose.ts";
import { ensureIntegration } from "../../src/commits/land/integrate.ts";
import { pawlOn } from "../../src/api.ts";
import { type ChildPrograms, childPrograms, ended, linkHeart } from "../support/child-program.ts";
import { COMMIT_PLAN } from "../support/commit-shop.ts";
import { cleanEnv, testRepository, type TestRepository } from "../support/repository.ts";
import { query } from "../support/world.ts";

/**
 * Kills a commit at every effect of its way to the plan's branch; then its step is put on hold, or not.
 *
 * Put on hold, its claim is over: wherever the kill fell, no branch of the plan holds the commit afterwards, and what
 * was committed is kept. Otherwise what a killed call had begun is finished: the branch has the commit, and the step is
 * completed with it. Never one without the other.
 *
 * With a remote the push is the landing. What it has stays, and its step is completed with that, also when it was put on
 * hold meanwhile.
 */

let programs: ChildPrograms<"verb">;
const made: string[] = [];

beforeAll(async () => {
  programs = await childPrograms("verb");
  linkHeart(programs, "verb");
});

afterAll(() => {
  for (const path of made) rmSync(path, { recursive: true, force: true });
  programs.remove();
});

const BRANCH = "pawl/plan";
const LANES = 2;
/** Every effect, unless fewer are asked for. */
const STRIDE = Number(process.env["PAWL_CRASH_STRIDE"] ?? "1");
const OFFSET = Number(process.env["PAWL_CRASH_OFFSET"] ?? "0");

interface Variant {
  readonly name: string;
  /** Whether a worktree has the plan's branch, so that its files move along. */
  readonly isCheckedOut: boolean;
  /** Whether others landed since the step began, so that a merge lands. */
  readonly isBehind: boolean;
  readonly next: "hold" | "finish";
  /** Whether a check is configured, so that the work is verified on top of what landed. */
  readonly isVerified?: boolean;
  /** Whether steps land on a remote. */
  readonly isShared?: boolean;
}

const VARIANTS: readonly Variant[] = [
  { name: "put on hold", isCheckedOut: false, isBehind: true, next: "hold" },
  { name: "put on hold, with the branch checked out", isCheckedOut: true, isBehind: false, next: "hold" },
  { name: "finished", isCheckedOut: false, isBehind: true, next: "finish" },
  {
    name: "verified on top of what landed, and finished",
    isCheckedOut: false,
    isBehind: true,
    next: "finish",
    isVerified: true,
  },
  {
    name: "verified on top of what landed, with the branch checked out, and put on hold",
    isCheckedOut: true,
    isBehind: true,
    next: "hold",
    isVerified: true,
  },
  {
    name: "pushed to a remote, and finished",
    isCheckedOut: false,
    isBehind: true,
    next: "finish",
    isVerified: true,
    isShared: true,
  },
  {
    name: "pushed to a remote, and put on hold",
    isCheckedOut: false,
    isBehind: true,
    next: "hold",
    isVerified: true,
    isShared: true,
  },
];

// proves G-late-owner-changes-nothing
describe("after a kill at any effect of a landing, the branch and the step agree", () => {
  it.each(VARIANTS.map((variant) => [variant.name, variant] as const))("%s", async (_, variant) => {
    const lanes = await Promise.all(Array.from({ length: LANES }, () => makeLane(variant)));
    const moments = await lanes[0]!.whole();
    expect(moments).toBeGreaterThan(80);
    let at = OFFSET;
    await Promise.all(
      lanes.map(async (lane) => {
        while (at + STRIDE <= moments) await lane.crash((at += STRIDE));
      }),
    );
  });
});

async function makeLane(variant: Variant) {
  const repo = testRepository();
  const home = dirname(repo.path);
  const [template, trace] = [`${home}.template`, `${home}.trace`];
  made.push(home, template, trace);
  const { call, base } = await setScene(repo, variant);
  renameSync(home, template);
  const restore = () => {
    rmSync(home, { recursive: true, force: true });
    cpSync(template, home, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  };
  const start = (at: number) => ended(programs.start("verb", { cwd: repo.path, at, trace, call }));
  /** Only a process of its own has a heart for what is verified. */
  const again = async (pawl: ReturnType<typeof pawlOn>) => {
    const answer = variant.isVerified
      ? (JSON.parse((await start(0)).stdout) as { readonly answer?: object }).answer
      : await pawl.commit(call.request);
    expect(answer).toMatchObject({ completed: true });
  };
  return {
    async whole(): Promise<number> {
      restore();
      const { code, stdout, stderr } = await start(0);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(JSON.parse(stdout), stdout).toMatchObject({ answer: { completed: true } });
      return (JSON.parse(stdout) as { moments: number }).moments;
    },
    async crash(at: number) {
      restore();
      const first = await start(at);
      expect(first.signal, `moment ${at}: ${first.stdout}${first.stderr}`).toBe("SIGKILL");
      const pawl = pawlOn(await compose({ cwd: repo.path, env: cleanEnv() }));
      try {
        if (variant.next === "finish") await again(pawl);
        else await held(pawl);
        await pawl.finishIntents();
      } finally {
        await pawl.close();
      }
      check(repo, base, readFileSync(trace, "utf8"));
      if (variant.isShared) checkRemote(repo, base, readFileSync(trace, "utf8"));
    },
  };
}

/** A step that was completed before the kill stays so. */
async function held(pawl: ReturnType<typeof pawlOn>): Promise<void> {
  await pawl.hold({ plan: "plan.md", step: "step-1" }).catch((error: unknown) => {
    if (!String(error).includes("is completed")) throw error;
  });
}

function check(repo: TestRepository, base: string, when: string): void {
  const database = join(repo.path, ".git/pawl/state.db");
  const isMerged = (at: TestRepository) =>
    at.git("rev-list", "--parents", "-1", BRANCH).split(" ").length > 2;
  const [step] = query(database, "select status, commit_hash from steps where anchor = 'step-1'");
  const holds = (ref: string) =>
    repo.git("log", "--format=%(trailers:key=Pawl-Step,valueonly,separator=)", ref).includes("step-1");
  const branches = repo.git("for-each-ref", "--format=%(refname)", "refs/heads/pawl").split("\n");
  if (step!["status"] === "completed") {
    expect(holds(`refs/heads/${BRANCH}`), when).toBe(true);
    expect(repo.git("rev-parse", BRANCH), when).toBe(step!["commit_hash"]);
    expect(repo.git("rev-list", "--count", `${base}..${BRANCH}`), when).toBe(isMerged(repo) ? "2" : "1");
    if (existsSync(join(repo.path, "pawl.toml"))) {
      const tree = repo.git("rev-parse", `${BRANCH}^{tree}`);
      const passed = query(database, "select tree from tree_verdicts where outcome = 'passed'");
      expect(
        passed.map((row) => row["tree"]),
        when,
      ).toContain(tree);
    }
  } else {
    expect(step!["status"], when).toBe("on_hold");
    expect(repo.git("rev-parse", BRANCH), when).toBe(base);
    expect(branches.filter(holds), when).toEqual([]);
  }
  const checkout = join(repo.path, ".pawl/worktrees/plan");
  if (existsSync(checkout)) expect(repo.git("-C", checkout, "status", "--porcelain"), when).toBe("");
  // The work is in the worktree's files or below a ref, whatever happened.
  const worktree = join(repo.path, ".pawl/worktrees/plan-w1");
  expect(readFileSync(join(worktree, "new"), "utf8"), when).toBe("new\n");
  expect(repo.git("fsck", "--connectivity-only", "--no-dangling"), when).toBe("");
}

/** The remote has the step's commit, once, or nothing of it. */
function checkRemote(repo: TestRepository, base: string, when: string): void {
  const at = (...args: readonly string[]) => repo.git("-C", join(dirname(repo.path), "remote.git"), ...args);
  const database = join(repo.path, ".git/pawl/state.db");
  const [step] = query(database, "select status, commit_hash from steps where anchor = 'step-1'");
  const isDone = step!["status"] === "completed";
  expect(at("rev-parse", BRANCH), when).toBe(isDone ? step!["commit_hash"] : base);
  const subjects = at("log", "--format=%(trailers:key=Pawl-Step,valueonly,separator=)", BRANCH).split("\n");
  expect(subjects.filter((one) => one === "step-1").length, when).toBe(isDone ? 1 : 0);
}

/** The tree of the plan's branch and one file more. */
function anothersTree(repo: TestRepository): string {
  const listed = repo.git("ls-tree", BRANCH);
  const blob = repo.git("rev-parse", `${BRANCH}:plan.md`);
  const input = `${listed}\n100644 blob ${blob}\tanothers\n`;
  return execFileSync("git", ["mktree"], { cwd: repo.path, input, encoding: "utf8" }).trim();
}

/** A worktree is known by when it was made, and a copy keeps whole seconds for sure. */
function settleIds(repo: TestRepository): void {
  const entries = join(repo.path, ".git/worktrees");
  for (const name of readdirSync(entries)) utimesSync(join(entries, name, "commondir"), MADE_AT, MADE_AT);
}

const MADE_AT = 1_700_000_000;

async function setScene(repo: TestRepository, variant: Variant) {
  const { isCheckedOut, isBehind, isVerified, isShared } = variant;
  repo.write("plan.md", COMMIT_PLAN);
  const shared = isShared ? 'remote = "origin"\n' : "";
  if (isVerified) repo.write("pawl.toml", `${shared}[verify]\ncommand = ["true"]\n`);
  repo.git("add", "-A");
  repo.git("commit", "-q", "-m", "before");
  const ports = await compose({ cwd: repo.path, env: cleanEnv() });
  const pawl = pawlOn(ports);
  await pawl.init({ plan: "plan.md" });
  if (isCheckedOut) await pawl.createWorktree({ plan: "plan.md" });
  else await ensureIntegration(ports, "plan.md");
  const { worktreePath: worktree } = await pawl.createWorktree({
    plan: "plan.md",
    base: BRANCH,
    name: "plan-w1",
  });
  settleIds(repo);
  if (isBehind) {
    const other = repo.git("commit-tree", anothersTree(repo), "-p", BRANCH, "-m", "another's");
    if (isCheckedOut)
      repo.git("-C", join(repo.path, ".pawl/worktrees/plan"), "merge", "-q", "--ff-only", other);
    else repo.git("update-ref", `refs/heads/${BRANCH}`, other);
  }
  if (isShared) {
    const remote = join(dirname(repo.path), "remote.git");
    repo.git("init", "-q", "--bare", "-b", "main", remote);
    repo.git("remote", "add", "origin", remote);
    repo.git("push", "-q", "origin", "main", BRANCH);
  }
  const { claim } = await pawl.claim({ plan: "plan.md", worktree });
  const who = { plan: "plan.md", step: "step-1", worktree, claim: claim! };
  await pawl.start(who);
  await pawl.close();
  writeFileSync(join(worktree, "new"), "new\n");
  return { call: { verb: "commit" as const, request: who }, base: repo.git("rev-parse", BRANCH) };
}
