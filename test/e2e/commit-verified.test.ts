import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ended } from "../support/child-program.ts";
import { PAWL } from "../support/cli.ts";
import { commitShop, type CommitShop } from "../support/commit-shop.ts";
import { planText } from "../support/plans.ts";
import { cleanEnv } from "../support/repository.ts";
import { until } from "../support/until.ts";
import { type Answer, type Data, ok, PLAN, refused } from "../support/workshop.ts";
import { query } from "../support/world.ts";

/** A step is claimed in a worktree, a file of it is written, and a script outside all worktrees is what verifies it. */
interface VerifiedShop extends CommitShop {
  readonly mine: string;
  readonly beside: (name: string) => string;
  readonly check: (script: string) => void;
}

function verifiedShop(script: string, more = ""): VerifiedShop {
  const shop = commitShop();
  const beside = (name: string) => join(dirname(shop.home), name);
  const check = (text: string) => writeFileSync(beside("check.sh"), text);
  check(script);
  shop.write(
    shop.home,
    "pawl.toml",
    `[verify]\ncommand = ["sh", ${JSON.stringify(beside("check.sh"))}]\n${more}`,
  );
  const mine = shop.worktree("mine");
  shop.take(mine, "step-1");
  shop.write(mine, "ground.txt");
  return { ...shop, mine, beside, check };
}

const verification = (answer: Answer): Data => answer.data["verification"] as Data;
const outcomes = (answer: Answer) =>
  (verification(answer)["evidence"] as Data[]).map(({ outcome }) => outcome as string);
const attempts = (shop: CommitShop) =>
  query(shop.database, "select count(*) as n from attempts").map(({ n }) => n)[0];
const verdicts = (shop: CommitShop) =>
  query(shop.database, "select outcome, tree from verdicts order by attempt");
const running = (shop: CommitShop) =>
  query(shop.database, "select id from sessions where status = 'in_progress'");
/** How many commits were made in the worktree. */
const since = (shop: VerifiedShop) => shop.commits(shop.mine).length - shop.commits(shop.home).length;
const isUntouched = (shop: VerifiedShop) => {
  expect(since(shop)).toBe(0);
  expect(readFileSync(join(shop.mine, "ground.txt"), "utf8")).toBe("ground.txt\n");
};

/** `pawl commit` beside the test, to be interrupted or killed. */
function begin(shop: VerifiedShop) {
  const words = ["commit", "--plan", PLAN, "--step", "step-1", "--worktree", shop.mine, "--json"];
  const child = spawn(process.execPath, [PAWL, ...words], {
    cwd: shop.home,
    env: cleanEnv({}),
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, end: ended(child) };
}

/** Says that it has begun, and waits to be let go. */
const WAITING = (shop: Pick<VerifiedShop, "beside">) =>
  `echo begun >> '${shop.beside("begun")}'\nwhile [ ! -e '${shop.beside("go")}' ]; do sleep 0.05; done\n`;

// proves G-done-means-evidence
describe("pawl commit where something is set to verify with", () => {
  it("commits exactly what has passed, in the caller's words, and keeps the evidence", () => {
    const shop = verifiedShop("echo looked; test -e ground.txt");
    const answer = shop.commit(shop.mine, "step-1", "--message", "Mine");

    const data = ok(answer);
    expect(data).toMatchObject({ committed: true, completed: true, files_staged: ["ground.txt"], claim: 1 });
    expect(verification(answer)).toMatchObject({ outcome: "completed", attempts_left: 2 });
    expect(outcomes(answer)).toEqual(["passed", "passed"]);
    const tree = shop.git(shop.mine, "rev-parse", "HEAD^{tree}");
    expect(verdicts(shop)).toEqual([{ outcome: "passed", tree }]);
    expect(shop.step("step-1")).toMatchObject({ status: "completed", commit_hash: data["commit_hash"] });
    const message = shop.message(shop.mine);
    expect(message.split("\n")[0]).toBe("Mine");
    expect(message).not.toContain("Pawl-Session");
    expect(running(shop)).toEqual([]);
  });

  it("tells what was verified, and what comes next", () => {
    const shop = verifiedShop("exit 0");
    const args = ["commit", "--plan", PLAN, "--step", "step-1", "--worktree", shop.mine];
    expect(shop.text(...args).stdout).toMatch(
      /^Verified step-1: passed: checklist, sh .*check\.sh\.\nCommitted .*\nCompleted step-1\.\n {2}next: pawl state claim/,
    );
  });

  it("commits nothing that fails, says what failed, and leaves the step its owner's", () => {
    const shop = verifiedShop("echo it is crooked; exit 7");
    const args = ["commit", "--plan", PLAN, "--step", "step-1", "--worktree", shop.mine];
    const told = shop.text(...args);
    expect(told.code).toBe(1);
    expect(told.stdout).toMatch(/^Not committed: sh .*check\.sh failed\./);
    expect(told.stdout).toContain(
      "exit code 7\n  | it is crooked\nstep-1 is still yours, with 2 attempts left.",
    );
    expect(told.stdout).toContain(`next: fix what is named above, then: pawl ${args.join(" ")}`);
    isUntouched(shop);
    expect(shop.step("step-1")).toMatchObject({ status: "in_progress" });
    const { stdout } = shop.text("explain", PLAN, "step-1");
    expect(stdout).toContain(`pawl ${args.join(" ")}`);
    expect(stdout).not.toContain("state complete");

    shop.check("exit 0");
    expect(ok(shop.commit(shop.mine, "step-1"))["verification"]).toMatchObject({ attempts_left: 1 });
  });

  it("asks a person after three failures, with the files as they are", () => {
    const shop = verifiedShop("exit 1");
    const ends = [1, 2, 3].map(() => shop.commit(shop.mine, "step-1"));
    expect(ends.map(({ code }) => code)).toEqual([1, 1, 5]);
    expect(ends.map((end) => verification(end)["outcome"])).toEqual(["rejected", "rejected", "blocked"]);
    expect(verification(ends[2]!)["because"]).toContain("3 attempts failed");
    expect(shop.step("step-1")).toMatchObject({
      status: "blocked",
      block_reason: "verification_escalated",
    });
    isUntouched(shop);
    refused(shop.commit(shop.mine, "step-1"), "E050", 4);
    isUntouched(shop);
  });

  it("blocks what takes too long for a person, who can have it verified again", () => {
    const shop = verifiedShop("sleep 60", 'timeout = "1s"\n');
    const answer = shop.commit(shop.mine, "step-1");
    expect(answer.code).toBe(5);
    expect(verification(answer)).toMatchObject({ outcome: "blocked" });
    expect(outcomes(answer)).toEqual(["passed", "timed_out"]);
    expect(shop.step("step-1")).toMatchObject({ status: "blocked", block_reason: "verification_timeout" });
    isUntouched(shop);
    shop.check("exit 0");
    expect(shop.text("verify", PLAN, "step-1").code).toBe(0);
    expect(shop.step("step-1")).toMatchObject({ status: "completed" });
    expect(since(shop)).toBe(1);
  });

  it("verifies again what the check has changed, and commits that", () => {
    const shop = verifiedShop("echo formatted > ground.txt");
    const answer = shop.commit(shop.mine, "step-1");
    ok(answer);
    const tree = shop.git(shop.mine, "rev-parse", "HEAD^{tree}");
    expect(shop.git(shop.mine, "show", "HEAD:ground.txt")).toBe("formatted");
    expect(verdicts(shop).map((one) => one["tree"] === tree)).toEqual([false, true]);
    expect(verification(answer)["attempts_left"]).toBe(2);
  });

  it("commits nothing where the check changes files each time", () => {
    const shop = verifiedShop("date +%N >> checked.txt");
    const answer = shop.commit(shop.mine, "step-1");
    expect(answer.code).toBe(5);
    expect(verification(answer)["because"]).toContain("its files change each time they are verified");
    isUntouched(shop);
  });

  it("verifies again what a hook has made of the commit, before the step is done", () => {
    const shop = verifiedShop(": ");
    shop.hook("pre-commit", "echo generated > made.txt; git add made.txt");
    ok(shop.commit(shop.mine, "step-1"));
    expect(since(shop)).toBe(1);
    const tree = shop.git(shop.mine, "rev-parse", "HEAD^{tree}");
    expect(verdicts(shop).at(-1)).toEqual({ outcome: "passed", tree });
  });

  it("tells of open items before anything is run, and counts no attempt for it", () => {
    const shop = verifiedShop("exit 0");
    ok(shop.commit(shop.mine, "step-1"));
    ok(shop.claim(shop.mine, "--step", "step-3", "--start"));
    shop.write(shop.mine, "paint.txt");
    refused(shop.commit(shop.mine, "step-3"), "E051", 1);
    expect(since(shop)).toBe(1);
    expect(shop.step("step-3")).toMatchObject({ status: "in_progress" });
    expect(attempts(shop)).toBe(1);
  });

  it("has nothing to commit before anything is run, unless that is meant", () => {
    const shop = verifiedShop("exit 0");
    shop.git(shop.mine, "add", "-A");
    shop.git(shop.mine, "commit", "-q", "-m", "by hand");
    refused(shop.commit(shop.mine, "step-1"), "E130", 1);
    expect(attempts(shop)).toBe(0);
    expect(ok(shop.commit(shop.mine, "step-1", "--allow-empty"))).toMatchObject({ completed: true });
  });

  it("gives the same answer to the same request, and verifies once", () => {
    const shop = verifiedShop(`echo x >> "$0.seen"`);
    const first = ok(shop.commit(shop.mine, "step-1", "--request-id", "r1"));
    shop.write(shop.mine, "later.txt");
    const second = ok(shop.commit(shop.mine, "step-1", "--request-id", "r1"));
    expect(second["commit_hash"]).toBe(first["commit_hash"]);
    expect(readFileSync(shop.beside("check.sh.seen"), "utf8")).toBe("x\n");
  });

  it("refuses strangers as ever, and runs nothing for them", () => {
    const shop = verifiedShop(`touch "$0.seen"`);
    const other = shop.worktree("other");
    shop.write(other, "theirs.txt");
    refused(shop.commit(other, "step-1"), "E049", 4);
    expect(existsSync(shop.beside("check.sh.seen"))).toBe(false);
  });
});

describe("paths of a commit that is verified", () => {
  it("are refused where they leave out something that the check would see", () => {
    const shop = verifiedShop(`touch "$0.seen"`);
    shop.write(shop.mine, "other.txt");
    const { message } = refused(shop.commit(shop.mine, "step-1", join(shop.mine, "ground.txt")), "E292", 2);
    expect(message).toContain("leave out other.txt");
    expect(existsSync(shop.beside("check.sh.seen"))).toBe(false);
    isUntouched(shop);
    expect(attempts(shop)).toBe(0);
  });

  it("are refused before anything is run where git knows none of that name", () => {
    const shop = verifiedShop(`touch "$0.seen"`);
    const paths = ["ground.txt", "typo.txt"].map((name) => join(shop.mine, name));
    const { message } = refused(shop.commit(shop.mine, "step-1", ...paths), "E131", 1);
    expect(message).toContain("typo.txt");
    expect(attempts(shop)).toBe(0);
    expect(existsSync(shop.beside("check.sh.seen"))).toBe(false);
  });

  it("may be of a file that is gone", () => {
    const shop = verifiedShop("test ! -e plan.md");
    rmSync(join(shop.mine, PLAN));
    rmSync(join(shop.mine, "ground.txt"));
    const data = ok(shop.commit(shop.mine, "step-1", join(shop.mine, PLAN)));
    expect(data).toMatchObject({ files_staged: [PLAN], completed: true });
  });

  it("are taken where they are all that changed", () => {
    const shop = verifiedShop("exit 0");
    const data = ok(shop.commit(shop.mine, "step-1", join(shop.mine, "ground.txt")));
    expect(data).toMatchObject({ files_staged: ["ground.txt"], completed: true });
    expect(verdicts(shop)).toEqual([
      { outcome: "passed", tree: shop.git(shop.mine, "rev-parse", "HEAD^{tree}") },
    ]);
  });
});

describe("a verification of a commit that is cut off", () => {
  it.each(["SIGINT", "SIGTERM"] as const)(
    "by %s leaves the step in progress and counts nothing",
    async (signal) => {
      const shop = verifiedShop("");
      shop.check(WAITING(shop));
      const { child, end } = begin(shop);
      await until(() => existsSync(shop.beside("begun")));
      child.kill(signal);
      const { code, stdout } = await end;
      expect(code).toBe(signal === "SIGINT" ? 130 : 143);
      expect(JSON.parse(stdout)).toMatchObject({
        data: { committed: false, verification: { outcome: "cancelled" } },
      });
      expect(shop.step("step-1")).toMatchObject({ status: "in_progress" });
      expect(running(shop)).toEqual([]);
      isUntouched(shop);
      shop.check("exit 0");
      expect(ok(shop.commit(shop.mine, "step-1"))["verification"]).toMatchObject({ attempts_left: 2 });
    },
  );

  it("by a kill is still its owner's, and the same command continues", async () => {
    const shop = verifiedShop("");
    shop.check(WAITING(shop));
    const { child, end } = begin(shop);
    await until(() => existsSync(shop.beside("begun")));
    child.kill("SIGKILL");
    await end;
    expect(shop.step("step-1")).toMatchObject({ claimed_by: shop.mine, claim: 1 });
    isUntouched(shop);
    writeFileSync(shop.beside("go"), "");
    const answer = shop.commit(shop.mine, "step-1");
    expect(ok(answer)).toMatchObject({ completed: true, claim: 1 });
    expect(verification(answer)["attempts_left"]).toBe(2);
    expect(since(shop)).toBe(1);
    expect(running(shop)).toEqual([]);
  });

  it("between the verdict and the commit is not verified a second time", () => {
    const shop = verifiedShop(`echo x >> "$0.seen"`);
    const stop = shop.beside("stop");
    writeFileSync(stop, "");
    shop.hook(
      "pre-commit",
      `[ -e '${stop}' ] || exit 0\nrm '${stop}'\ncaller=$(ps -o ppid= -p $(ps -o ppid= -p $$) | tr -d ' '); grep -q pawl.cjs /proc/$caller/cmdline && kill -9 $caller\nexit 1`,
    );
    const args = ["commit", "--plan", PLAN, "--step", "step-1", "--worktree", shop.mine];
    expect(shop.text(...args).signal).toBe("SIGKILL");
    isUntouched(shop);
    ok(shop.commit(shop.mine, "step-1"));
    expect(readFileSync(shop.beside("check.sh.seen"), "utf8")).toBe("x\n");
    expect(since(shop)).toBe(1);
  });

  it("keeps a second call out as long as the first one lives", async () => {
    const shop = verifiedShop("");
    shop.check(WAITING(shop));
    const { end } = begin(shop);
    await until(() => existsSync(shop.beside("begun")));
    refused(shop.commit(shop.mine, "step-1"), "E293", 6);
    writeFileSync(shop.beside("go"), "");
    expect((await end).code).toBe(0);
    expect(readFileSync(shop.beside("begun"), "utf8")).toBe("begun\n");
  });

  it("by the loss of the step commits nothing, and what was to be committed is kept", async () => {
    const shop = verifiedShop("");
    shop.check(WAITING(shop));
    const { end } = begin(shop);
    await until(() => existsSync(shop.beside("begun")));
    const other = shop.worktree("other");
    ok(shop.claim(other, "--step", "step-1", "--force"));
    writeFileSync(shop.beside("go"), "");
    const { code, stdout } = await end;
    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({ issues: [{ code: "E076" }] });
    isUntouched(shop);
    expect(shop.step("step-1")).toMatchObject({ claimed_by: other });
    expect(shop.repository.git("for-each-ref", "--format=%(refname)", "refs/pawl/late")).not.toBe("");
  });
});

describe("a commit that a person has not verified", () => {
  it("is made with a reason that stays in the journal", () => {
    const shop = verifiedShop("exit 1");
    const data = ok(shop.commit(shop.mine, "step-1", "--unverified", "the check is broken"));
    expect(data).toMatchObject({ completed: true });
    expect(data).not.toHaveProperty("verification");
    expect(
      query(shop.database, "select anchor, claim, detail from events where event = 'unverified'"),
    ).toEqual([{ anchor: "step-1", claim: 1, detail: '{"reason":"the check is broken"}' }]);
    expect(attempts(shop)).toBe(0);
  });

  it("needs a reason, and is not for agents in a session", () => {
    const shop = verifiedShop("exit 1");
    refused(shop.commit(shop.mine, "step-1", "--unverified", " "), "E066", 2);
    const args = [
      "commit",
      "--plan",
      PLAN,
      "--step",
      "step-1",
      "--worktree",
      shop.mine,
      "--unverified",
      "so",
    ];
    refused(shop.jsonWith({ env: { PAWL_SESSION: "s-1" } }, ...args), "E077", 4);
    expect(since(shop)).toBe(0);
  });
});

describe("commands that stand in the plan", () => {
  it("verify a commit where the settings say that they are run", () => {
    const steps = [{ number: "1", title: "Dig", checkpoints: ["`test -e dug.txt` passes"] }];
    const shop = commitShop(planText(steps));
    shop.write(shop.home, "pawl.toml", "[verify]\nrun_checkpoints = true\n");
    const mine = shop.worktree("mine");
    shop.take(mine, "step-1");
    ok(shop.work("update", mine, "step-1", "--all", "completed"));
    shop.write(mine, "other.txt");
    const failed = shop.commit(mine, "step-1");
    expect(failed.code).toBe(1);
    expect(verification(failed)["because"]).toBe("test -e dug.txt failed");
    shop.write(mine, "dug.txt");
    expect(outcomes(shop.commit(mine, "step-1"))).toEqual(["passed", "passed"]);
    expect(shop.step("step-1")).toMatchObject({ status: "completed" });
  });
});

describe("settings of [verify] that name nothing to run", () => {
  it("leave pawl commit as it is without them", () => {
    const shop = verifiedShop("exit 1");
    shop.write(shop.home, "pawl.toml", '[verify]\ntimeout = "1s"\nrun_checkpoints = true\n');
    expect(ok(shop.commit(shop.mine, "step-1"))).not.toHaveProperty("verification");
    expect(query(shop.database, "select count(*) as n from sessions")).toEqual([{ n: 0 }]);
  });
});
