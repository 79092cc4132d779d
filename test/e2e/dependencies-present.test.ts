import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { compose } from "../../src/compose.ts";
import { Failure } from "../../src/domain/errors.ts";
import type { RunEvent } from "../../src/runs/work/run-event.ts";
import type { RunRequest } from "../../src/runs/run.ts";
import { pawlOn } from "../../src/api.ts";
import type { Ports } from "../../src/platform/ports/ports.ts";
import { PAWL, pawlAsync } from "../support/cli.ts";
import { gitThat } from "../support/git-that.ts";
import { mcpClient } from "../support/mcp-client.ts";
import { planText } from "../support/plans.ts";
import { cleanEnv } from "../support/repository.ts";
import { AGENT, GOOD, type RunShop, runShop } from "../support/run-shop.ts";
import { type Data, ok, PLAN } from "../support/workshop.ts";
import { paste, read, worktreeShop, type WorktreeShop } from "../support/worktree-shop.ts";

/** A step builds on the work of its dependencies, so that work is in its worktree before anything begins there. */

const STEPS = [
  { number: "1", tasks: ["dig"] },
  { number: "2", tasks: ["build"], dependsOn: ["step-1"] },
  { number: "3", tasks: ["fence"] },
];

/** The agent of step-1 waits for a sign; all others work at once. */
function gatedShop(): RunShop {
  const shop = runShop(STEPS);
  shop.script({ steps: { "step-1": [[{ waitFor: shop.path("gate") }, ...GOOD]] } });
  return shop;
}

/**
 * Runs two workers in this process. The second reads where the plan's branch is; then step-1 lands and completes; only
 * then does the second claim. It gets step-2, which became ready in between, in a worktree of before.
 */
async function landInTheWindow(
  shop: RunShop,
  change: (ports: Ports) => Partial<Ports> = () => ({}),
  request: RunRequest = {},
) {
  const ports = await compose({ cwd: shop.repo.path, env: cleanEnv(shop.env) });
  const events: RunEvent[] = [];
  const watchers = new Map<string, () => void>();
  const seen = (event: string, step: string): Promise<void> =>
    new Promise((resolve) => {
      if (events.some((one) => one.event === event && "step" in one && one.step === step)) resolve();
      else watchers.set(`${event} ${step}`, resolve);
    });
  const reading = new Set<Promise<unknown>>();
  let isHeld = false;
  const branches = async () => {
    const all = await ports.branches();
    return {
      ...all,
      commits(names: readonly string[]) {
        const answer = all.commits(names);
        reading.add(answer);
        return answer;
      },
    };
  };
  const commits = async () => {
    const all = await ports.commits();
    return {
      ...all,
      async uncommitted(...asked: Parameters<typeof all.uncommitted>) {
        const answer = await all.uncommitted(...asked);
        if (isHeld || !asked[0].path.endsWith("-w2")) return answer;
        isHeld = true;
        await nextTurn();
        await Promise.all(reading);
        await seen("claimed", "step-1");
        writeFileSync(shop.path("gate"), "");
        await seen("completed", "step-1");
        return answer;
      },
    };
  };
  const pawl = pawlOn({ ...ports, branches, commits, ...change(ports) });
  const onEvent = (event: RunEvent) => {
    events.push(event);
    if ("step" in event) watchers.get(`${event.event} ${event.step}`)?.();
  };
  try {
    const answer = await pawl.run({ plan: PLAN, workers: 2, argv: AGENT.slice(1), ...request, onEvent });
    return { answer, events, isHeld };
  } finally {
    await pawl.close();
  }
}

const commitOf = (shop: RunShop, step: string): string =>
  shop.repo
    .git("log", "--no-merges", "--format=%H %(trailers:key=Pawl-Step,valueonly,separator=%x2C)", "pawl/plan")
    .split("\n")
    .find((line) => line.endsWith(` ${step}`))!
    .split(" ")[0]!;

/** Whether the commit of step-2 was made on top of that of step-1, as its agent saw it. */
const wasBuiltOnFirst = (shop: RunShop): boolean =>
  shop.repo.git("merge-base", commitOf(shop, "step-1"), commitOf(shop, "step-2")) ===
  commitOf(shop, "step-1");

describe("a dependency that lands between the refresh of a worktree and the claim", () => {
  it("is in the worktree before the agent starts", async () => {
    const shop = gatedShop();
    const { answer, events, isHeld } = await landInTheWindow(shop);
    expect([isHeld, answer.ended]).toEqual([true, "all_completed"]);
    // By the second worker, which had read the branch before step-1 was on it.
    expect(events).toContainEqual(expect.objectContaining({ worker: 2, event: "claimed", step: "step-2" }));
    expect(wasBuiltOnFirst(shop)).toBe(true);
    expect(shop.starts("step-2")).toBe(1);
  });

  it("is brought there by the next run, when the first one ended before it could", async () => {
    const shop = gatedShop();
    const dies = (ports: Ports) => ({
      git: {
        ...ports.git,
        unreachable: async () => {
          throw new Failure("git/failed", "the power is gone", {});
        },
      },
    });
    await expect(landInTheWindow(shop, dies, { maxSteps: 2 })).rejects.toThrow("the power is gone");
    expect(shop.steps()).toContain("step-2 in_progress");
    expect(existsSync(join(shop.worktree(2), "work/step-1.txt"))).toBe(false);
    // In the worktree that holds it: the other one is taken.
    shop.json("state", "claim", PLAN, "--worktree", shop.worktree(1), "--step", "step-3");
    expect(await shop.run("--max-steps", "1")).toMatchObject({ code: 0 });
    expect(shop.query("select claimed_by from steps where anchor = 'step-2'")).toEqual([
      { claimed_by: shop.worktree(2) },
    ]);
    expect(wasBuiltOnFirst(shop)).toBe(true);
  });
});

describe("a dependency that a person completed on a branch of their own", () => {
  it("is merged into the plan's branch before the agent of the next step starts", async () => {
    const shop = runShop(STEPS.slice(0, 2));
    byHand(shop)();
    expect(await shop.run()).toMatchObject({ code: 0 });
    expect(wasBuiltOnFirst(shop)).toBe(true);
  });

  it("blocks the step with the reason where it conflicts with the plan's branch", async () => {
    const shop = runShop(STEPS);
    shop.script({ steps: { "step-3": [[{ write: "hole.txt", text: "a fence" }, { tick: "all" }]] } });
    const commit = byHand(shop);
    expect(await shop.run("--max-steps", "1")).toMatchObject({ code: 0 });
    commit();
    await shop.run();
    expect(shop.starts("step-2")).toBe(0);
    const [step] = shop.query("select status, block_reason, block_note from steps where anchor = 'step-2'");
    expect(step).toMatchObject({ status: "blocked", block_reason: "merge_conflict" });
    expect(step!["block_note"]).toMatch(/builds on step-1.*hole\.txt/);
  });

  it("blocks the step where it fails the check together with the plan's branch, which stays", async () => {
    const check = '["sh", "-c", "! { test -f hole.txt && test -f fence.txt; }"]';
    const shop = runShop(STEPS, `[verify]\ncommand = ${check}\n`);
    shop.script({ steps: { "step-3": [[{ write: "fence.txt", text: "a fence" }, { tick: "all" }]] } });
    const commit = byHand(shop);
    expect(await shop.run("--max-steps", "1")).toMatchObject({ code: 0 });
    const before = shop.repo.git("rev-parse", "pawl/plan");
    commit();
    await shop.run();
    expect(shop.starts("step-2")).toBe(0);
    const [step] = shop.query("select status, block_reason, block_note from steps where anchor = 'step-2'");
    expect(step).toMatchObject({ status: "blocked", block_reason: "landing_rejected" });
    expect(step!["block_note"]).toMatch(
      /builds on step-1.*failed \(exit 1\) on pawl\/plan and step-1 together/,
    );
    expect(shop.repo.git("rev-parse", "pawl/plan")).toBe(before);
  });
});

/** Step-1 in the hands of a person, in a worktree of its own; the answer commits it there. */
function byHand(shop: RunShop): () => void {
  const mine = join(shop.repo.path, ".pawl/worktrees/mine");
  const call = (...args: readonly string[]) =>
    expect(shop.json(...args), args.join(" ")).toMatchObject({ status: "ok" });
  call("state", "init", PLAN);
  call("worktree", "create", PLAN, "--name", "mine");
  call("state", "claim", PLAN, "--worktree", mine, "--step", "step-1", "--start");
  call("state", "update", PLAN, "step-1", "--worktree", mine, "--all", "completed");
  writeFileSync(join(mine, "hole.txt"), "deep\n");
  return () => call("commit", "--plan", PLAN, "--step", "step-1", "--message", "dig", "--worktree", mine);
}

/** Two worktrees that Pawl made, and step-1 committed in the first. */
function site(): WorktreeShop & {
  readonly first: string;
  readonly second: string;
  readonly commit1: string;
} {
  const shop = worktreeShop(planText(STEPS.slice(0, 2)));
  shop.commit(shop.home, { [PLAN]: read(shop.home, PLAN), "shared.txt": "before\n" });
  const at = (name: string) => shop.create("--name", name)["worktree_path"] as string;
  const [first, second] = [at("first"), at("second")];
  shop.take(first, "step-1");
  ok(shop.work("update", first, "step-1", "--all", "completed"));
  shop.put(first, { "hole.txt": "deep\n", "shared.txt": "dug\n" });
  const answer = ok(
    shop.json("commit", "--plan", PLAN, "--step", "step-1", "--message", "dig", "--worktree", first),
  );
  return { ...shop, first, second, commit1: answer["commit_hash"] as string };
}

const warnings = ({ issues }: { readonly issues: readonly Data[] }) =>
  issues.map(({ code }) => code as string);

describe("a claim by hand in a worktree that Pawl made", () => {
  it("brings the worktree forward to the work of the dependency, and says so", () => {
    const shop = site();
    const answer = shop.claim(shop.second);
    expect(ok(answer)).toMatchObject({ anchor: "step-2", brought_to: shop.commit1, missing_work: [] });
    expect([answer.issues, read(shop.second, "hole.txt")]).toEqual([[], "deep\n"]);
    expect(ok(shop.claim(shop.second))).toMatchObject({ anchor: "step-2", brought_to: null });
  });

  it("brings it forward at the next claim, when the first one was killed after it was recorded", () => {
    const shop = site();
    const env = gitThat(shop.home, "rev-list --stdin", "kill -9 $PPID; exit 1");
    const killed = spawnSync(process.execPath, [PAWL, "state", "claim", PLAN, "--worktree", shop.second], {
      cwd: shop.home,
      env: cleanEnv(env),
    });
    expect([killed.signal, shop.step("step-2")["status"]]).toEqual(["SIGKILL", "claimed"]);
    expect(existsSync(join(shop.second, "hole.txt"))).toBe(false);
    expect(ok(shop.claim(shop.second))).toMatchObject({ reclaimed: true, brought_to: shop.commit1 });
  });

  it("merges it where the worktree has commits of its own", () => {
    const shop = site();
    const own = shop.commit(shop.second, { "other.txt": "mine\n" });
    const { brought_to: to } = ok(shop.claim(shop.second));
    expect(shop.gitIn(shop.second, "rev-parse", "HEAD", "HEAD^1", "HEAD^2").split("\n")).toEqual([
      to,
      own,
      shop.commit1,
    ]);
    expect(shop.gitIn(shop.second, "status", "--porcelain")).toBe("");
  });

  it("leaves uncommitted work alone, and names what is missing and what to do", () => {
    const shop = site();
    shop.put(shop.second, { "half.txt": "half\n" });
    const answer = shop.claim(shop.second);
    expect(ok(answer)["missing_work"]).toEqual([
      { anchor: "step-1", commit: shop.commit1, reason: "uncommitted", files: ["half.txt"] },
    ]);
    expect(warnings(answer)).toEqual(["W004"]);
    expect(existsSync(join(shop.second, "hole.txt"))).toBe(false);
    const hint = /`([^`]+)`/.exec(answer.issues[0]!.hint!)![1]!;
    paste(shop.home, hint);
    expect([warnings(shop.claim(shop.second)), read(shop.second, "hole.txt")]).toEqual([[], "deep\n"]);
    expect(read(shop.second, "half.txt")).toBe("half\n");
  });

  it("does not merge what conflicts, and names the files", () => {
    const shop = site();
    const own = shop.commit(shop.second, { "shared.txt": "mine\n" });
    const answer = shop.claim(shop.second);
    expect(ok(answer)["missing_work"]).toEqual([
      { anchor: "step-1", commit: shop.commit1, reason: "conflicts", files: ["shared.txt"] },
    ]);
    expect([shop.gitIn(shop.second, "rev-parse", "HEAD"), warnings(answer)]).toEqual([own, ["W004"]]);
  });

  it("finds the work under another commit after a squash", () => {
    const shop = site();
    shop.gitIn(shop.second, "merge", "-q", "--squash", shop.commit1);
    shop.gitIn(
      shop.second,
      "commit",
      "-q",
      "-m",
      shop.gitIn(shop.home, "log", "-1", "--format=%B", shop.commit1),
    );
    shop.commit(shop.second, { "shared.txt": "dug, and more\n" });
    const answer = shop.claim(shop.second);
    expect(ok(answer)).toMatchObject({ anchor: "step-2", brought_to: null, missing_work: [] });
  });

  it("leaves a worktree that a person made as it is", () => {
    const shop = site();
    const theirs = shop.worktree("theirs");
    const before = shop.gitIn(theirs, "rev-parse", "HEAD");
    expect(ok(shop.claim(theirs))).toMatchObject({ anchor: "step-2", brought_to: null, missing_work: [] });
    expect(shop.gitIn(theirs, "rev-parse", "HEAD")).toBe(before);
  });
});

describe("a claim over the protocol in a worktree that Pawl made", () => {
  it("brings the worktree forward, or names the work that it lacks", async () => {
    const shop = site();
    shop.put(shop.second, { "half.txt": "half\n" });
    const lacking = await mcpClient({ cwd: shop.second });
    expect(await lacking.call("pawl_claim", { plan: PLAN })).toMatchObject({
      step: "step-2",
      missing_work: [{ step: "step-1", commit: shop.commit1, reason: "uncommitted" }],
    });
    await lacking.call("pawl_release", {});
    shop.gitIn(shop.second, "add", "-A");
    shop.gitIn(shop.second, "commit", "-q", "-m", "half");
    expect(await lacking.call("pawl_claim", { plan: PLAN })).toMatchObject({
      step: "step-2",
      missing_work: [],
    });
    expect(read(shop.second, "hole.txt")).toBe("deep\n");
  });
});

describe("a move that is killed", () => {
  /** Kills Pawl, and the git commands that it has started, before a call about a path that ends so. */
  function diesBefore(home: string, call: string, end: string): Record<string, string> {
    const file = join(home, ".git/dies-before.cjs");
    writeFileSync(
      file,
      `const fs = require("node:fs");
       const real = fs[${JSON.stringify(call)}];
       fs[${JSON.stringify(call)}] = (...args) => {
         if (args.some((one) => String(one).endsWith(${JSON.stringify(end)}))) {
           const children = fs.readFileSync(\`/proc/\${process.pid}/task/\${process.pid}/children\`, "utf8");
           for (const pid of [...children.split(" ").filter(Boolean), process.pid])
             process.kill(Number(pid), "SIGKILL");
         }
         return real(...args);
       };
       require("node:module").syncBuiltinESMExports();`,
    );
    return { NODE_OPTIONS: `--require=${file}` };
  }
  /** The branch is there, and the lock of the index not yet given back. */
  const diesWithLock = (home: string) => diesBefore(home, "rmSync", "/index.lock");
  /** Git holds the branch, and nothing says yet that it does so for Pawl. */
  const diesUnsigned = (home: string) => diesBefore(home, "linkSync", "/ref-lock-0");
  const claimIn = ({ jsonWith, second }: ReturnType<typeof site>, env: Record<string, string>) =>
    jsonWith({ env }, "state", "claim", PLAN, "--worktree", second);
  const leftIn = (home: string) =>
    readdirSync(join(home, ".git/worktrees"), { recursive: true, encoding: "utf8" }).filter((name) =>
      /\.lock$|pawl-forward/.test(name),
    );

  it("with git, which held its branch, is made by the next claim there", () => {
    const shop = site();
    expect(() => claimIn(shop, diesUnsigned(shop.home))).toThrow();
    expect(leftIn(shop.home)).toEqual(expect.arrayContaining(["second/HEAD.lock", "second/ORIG_HEAD.lock"]));
    const branch = join(shop.home, ".git/refs/heads/pawl/second.lock");
    expect(existsSync(branch)).toBe(true);
    expect(ok(shop.claim(shop.second))).toMatchObject({ reclaimed: true, missing_work: [] });
    expect(shop.gitIn(shop.second, "rev-parse", "HEAD")).toBe(shop.commit1);
    expect([leftIn(shop.home), existsSync(branch)]).toEqual([[], false]);
  });

  it("with all done but its lock is finished by the next claim there, though no commit is missing", () => {
    const shop = site();
    expect(() => claimIn(shop, diesWithLock(shop.home))).toThrow();
    expect(leftIn(shop.home)).toContain("second/index.lock");
    expect(shop.gitIn(shop.second, "rev-parse", "HEAD")).toBe(shop.commit1);
    expect(ok(shop.claim(shop.second))).toMatchObject({ reclaimed: true, missing_work: [] });
    expect(leftIn(shop.home)).toEqual([]);
  });

  it("with all done but its lock is finished by resume, before an agent begins there", async () => {
    const both = ["step-1", "step-2"];
    const shop = runShop([
      { number: "1", tasks: ["dig"] },
      { number: "2", tasks: ["fence"] },
      { number: "3", tasks: ["build"], dependsOn: both },
      { number: "4", tasks: ["plant"], dependsOn: both },
    ]);
    const options = { cwd: shop.repo.path, env: { ...shop.env, ...diesWithLock(shop.repo.path) } };
    expect(await pawlAsync(options, "run", PLAN, "--workers", "2", ...AGENT)).toMatchObject({
      signal: "SIGKILL",
    });
    // The other worker may have been on its way as well.
    expect(leftIn(shop.repo.path).some((name) => name.endsWith("/index.lock"))).toBe(true);
    expect(shop.pawl("resume")).toMatchObject({ code: 0 });
    expect(leftIn(shop.repo.path)).toEqual([]);
    expect(shop.steps().every((step) => step.endsWith(" completed"))).toBe(true);
  });
});
