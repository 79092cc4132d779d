import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type RunShop, runShop } from "../support/run-shop.ts";

const STEP = [{ number: "1", tasks: ["answer"] }] as const;

/** Passes where `lib/answer` or `answer` says 42. */
const CHECK = `#!/bin/sh
test "$(cat lib/answer 2>/dev/null)" = 42 || test "$(cat answer)" = 42
`;

interface Given {
  readonly verify?: string;
  readonly settings?: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** A shop whose check wants an answer, and whose agent runs a shell script before it ticks. */
function shopWith(script: string, { verify = "", settings = "", files = {} }: Given = {}): RunShop {
  const shop = runShop(STEP);
  shop.repo.write("pawl.toml", `${settings}\n[verify]\ncommand = ["sh", "./check.sh"]\n${verify}\n`);
  for (const [name, text] of Object.entries({ "check.sh": CHECK, answer: "0\n", ...files }))
    shop.repo.write(name, text);
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-q", "-m", "the check");
  writeFileSync(shop.path("agent.sh"), `set -e\ncat > /dev/null\necho note > note.txt\n${script}\n${TICK}\n`);
  return shop;
}

const TICK =
  "eval \"$(echo \"$SCRIPTED_AGENT_PAWL\" | tr '\\n' ' ')\" state update plan.md step-1 --all completed";

const run = (shop: RunShop, ...more: string[]) =>
  shop.start("run", "plan.md", ...more, "--", "sh", shop.path("agent.sh")).ended;

/** Whether the check passes on a clone of the plan's branch. */
function passesInClone(shop: RunShop): boolean {
  const clone = shop.path("clone");
  shop.repo.git("clone", "-q", "-b", "pawl/plan", shop.repo.path, clone);
  try {
    shop.repo.git("-C", clone, "-c", "alias.check=!sh ./check.sh", "check");
    return true;
  } catch {
    return false;
  }
}

const evidenceOf = (shop: RunShop) =>
  shop
    .query("select evidence from verdicts order by attempt")
    .flatMap(({ evidence }) => JSON.parse(String(evidence)) as Record<string, unknown>[])
    .filter(({ checked }) => checked !== "checklist");

const LIB = "mkdir -p lib; echo 42 > lib/answer";

const HELPED: readonly (readonly [string, string, Given])[] = [
  ["an ignored folder", LIB, { files: { ".gitignore": "lib/\n" } }],
  ["info/exclude", `${LIB}; echo lib >> "$(git rev-parse --git-path info/exclude)"`, {}],
  ["a new .gitignore", `${LIB}; echo /lib > .gitignore`, {}],
];

const HIDDEN: readonly (readonly [string, string])[] = [
  ["--assume-unchanged", "git update-index --assume-unchanged answer; echo 42 > answer"],
  ["--skip-worktree", "git update-index --skip-worktree answer; echo 42 > answer"],
  [
    "a file system monitor that lies",
    `printf '#!/bin/sh\\nprintf "tok\\\\0"\\n' > ../fsm; chmod +x ../fsm
git config core.fsmonitor "$(pwd)/../fsm"; git config core.fsmonitorHookVersion 2
git update-index --fsmonitor; git status > /dev/null; git status > /dev/null; echo 42 > answer`,
  ],
];

// proves G-done-means-evidence
describe("a check that passes only with files that no commit holds", () => {
  it.each(HELPED)("fails with %s, and its evidence names them", async (_, script, given) => {
    const shop = shopWith(script, given);
    expect(await run(shop)).toMatchObject({ code: 5 });
    expect(shop.steps()).toEqual(["step-1 blocked"]);
    expect(passesInClone(shop)).toBe(false);
    const [first] = evidenceOf(shop);
    expect(first).toMatchObject({ outcome: "failed", where: "clean" });
    expect((first!["beside"] as string[]).join()).toContain("lib");
    expect(first!["output"]).toContain("Not in the tree that was checked:");
    expect(shop.pawl("explain", "plan.md", "step-1").stdout).toMatch(/clean\s+checkout\s+of\s+tree/);
  });

  it("is not even run on a repository inside: the agent gets git's reason", async () => {
    const inside =
      "cd lib; git init -q; git add -A; git -c user.name=a -c user.email=a@b commit -q --allow-empty -m n; cd ..";
    const shop = shopWith(`${LIB}; ${inside}`);
    expect(await run(shop)).toMatchObject({ code: 5 });
    expect(shop.steps()).toEqual(["step-1 blocked"]);
    expect(passesInClone(shop)).toBe(false);
    expect(evidenceOf(shop)[0]).toMatchObject({ checked: "git add", outcome: "failed" });
  });

  it.each(HIDDEN)("cannot hide them by %s: they are committed", async (_, script) => {
    const shop = shopWith(script);
    const { code, stderr } = await run(shop);
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("(clean checkout of tree"),
    });
    shop.repo.git("config", "core.fsmonitor", "false");
    expect(passesInClone(shop)).toBe(true);
  });
});

describe("a check that runs in place", () => {
  it("passes there, and everybody hears of what it could see", async () => {
    const shop = shopWith(LIB, { verify: "clean = false", files: { ".gitignore": "lib/\n" } });
    const { code, stderr } = await run(shop);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("(in place, tree") });
    expect(stderr).toContain("not_in_commit: ");
    expect(evidenceOf(shop)).toMatchObject([
      { where: "in-place", beside: ["lib/ is ignored by git and changed during the step"] },
    ]);
    expect(shop.pawl("explain", "plan.md", "step-1").stdout).toContain("lib/ is ignored by git");
  });

  it.each([
    [
      "a folder of dependencies is ignored there",
      "mkdir node_modules; echo 1 > node_modules/x; echo 42 > answer",
      {},
    ],
    ["a set-up command prepares worktrees", "echo 42 > answer", { settings: 'worktree_setup = ["true"]' }],
  ] as const)("does so by default where %s", async (_, script, given) => {
    const shop = shopWith(script, { files: { ".gitignore": "node_modules\n" }, ...given });
    expect(await run(shop)).toMatchObject({ code: 0 });
    expect(evidenceOf(shop)).toMatchObject([{ where: "in-place" }]);
  });

  it("leaves alone what a person has hidden in a worktree of their own, and names it", async () => {
    const shop = shopWith("echo 42 > answer");
    const mine = shop.repo.addWorktree("mine");
    shop.repo.git("-C", mine, "update-index", "--skip-worktree", "check.sh");
    writeFileSync(join(mine, "check.sh"), "exit 0\n");
    expect(await run(shop, "--worktree", mine)).toMatchObject({ code: 0 });
    expect(shop.repo.git("-C", mine, "show", "HEAD:check.sh")).toBe(CHECK.trim());
    expect(evidenceOf(shop)).toMatchObject([
      { where: "in-place", beside: [expect.stringContaining("check.sh is hidden from git")] },
    ]);
  });
});

describe("the clean checkout", () => {
  const worktrees = (shop: RunShop) => join(shop.repo.path, ".pawl/worktrees");

  it("is set up as worktrees are, with the files that they are given", async () => {
    const check = 'test -e setup.txt && test "$(cat .env)" = secret && test "$(cat answer)" = 42\n';
    const shop = shopWith("echo 42 > answer", {
      verify: "clean = true",
      settings: 'worktree_setup = ["touch", "setup.txt"]',
      files: { "check.sh": check, ".gitignore": ".env\nsetup.txt\n", ".worktreeinclude": ".env\n" },
    });
    shop.repo.write(".env", "secret\n");
    expect(await run(shop)).toMatchObject({ code: 0 });
    expect(evidenceOf(shop)).toMatchObject([{ where: "clean", outcome: "passed" }]);
  });

  it("says why when its set-up fails", async () => {
    const shop = shopWith("echo 42 > answer; echo 'exit 7' > setup.sh", {
      verify: "clean = true",
      settings: 'worktree_setup = ["sh", "setup.sh"]',
      files: { "setup.sh": "exit 0\n" },
    });
    expect(await run(shop)).toMatchObject({ code: 5 });
    expect(evidenceOf(shop)[0]).toMatchObject({ checked: "sh setup.sh", outcome: "failed", where: "clean" });
  });

  it("has nothing of the check before, and what the check changes stays there", async () => {
    const check = `test ! -e left && test "$(cat answer)" = 42 && touch left && echo gone > note.txt && rm plan.md
test "$(git rev-parse HEAD)" = "$(git rev-parse pawl/plan)" && git diff --cached --quiet HEAD -- plan.md
`;
    const shop = shopWith('echo 42 > answer; date +%N > "other-$(date +%s%N)"', {
      files: { "check.sh": check, ".gitignore": "left\n" },
    });
    expect(await run(shop)).toMatchObject({ code: 0 });
    expect(shop.pawl("state", "reopen", "plan.md", "step-1", "--reason", "again")).toMatchObject({ code: 0 });
    expect(await run(shop)).toMatchObject({ code: 0 });
    expect(evidenceOf(shop).map(({ outcome, where }) => `${String(outcome)} ${String(where)}`)).toEqual([
      "passed clean",
      "passed clean",
    ]);
    expect(shop.repo.git("show", "pawl/plan:note.txt")).toBe("note");
  });

  it("is no worktree of git's, nothing that doctor warns of, and goes with its worktree", async () => {
    const shop = shopWith("echo 42 > answer");
    expect(await run(shop)).toMatchObject({ code: 0 });
    expect(readdirSync(worktrees(shop)).toSorted()).toEqual([".check-plan-w1", ".gitignore", "plan-w1"]);
    expect(shop.repo.git("worktree", "list")).not.toContain(".check-");
    expect(shop.repo.git("status", "--porcelain")).toBe("");
    expect(
      shop.json("doctor").data.checks.find((one: { name: string }) => one.name === "worktrees"),
    ).toMatchObject({
      status: "pass",
    });
    expect(shop.pawl("worktree", "remove", "pawl/plan-w1")).toMatchObject({ code: 0 });
    expect(readdirSync(worktrees(shop))).toEqual([".gitignore"]);
    expect(existsSync(join(shop.repo.path, ".git/pawl/checks/plan-w1"))).toBe(false);
  });

  it("is made anew when something broke it", async () => {
    const check = 'rm .git; echo x > answer.lock; test "$(cat answer)" = 42\n';
    const shop = shopWith('echo 42 > answer; date +%s%N > "other-$(date +%s%N)"', {
      files: { "check.sh": check },
    });
    expect(await run(shop)).toMatchObject({ code: 0 });
    shop.pawl("state", "reopen", "plan.md", "step-1", "--reason", "again");
    expect(await run(shop)).toMatchObject({ code: 0 });
    expect(readFileSync(join(worktrees(shop), ".check-plan-w1/answer"), "utf8")).toBe("42\n");
  });
});
