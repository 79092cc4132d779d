import { describe, expect, it } from "vitest";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pawlAsync } from "../support/cli.ts";
import { type Acts, AGENT, type RunShop, runShop } from "../support/run-shop.ts";
import { SCRIPTED_AGENT } from "../support/supervised.ts";

/** Fails where something is called that nothing defines. */
const CHECK = `
import { readdirSync, readFileSync } from "node:fs";
const text = readdirSync("src").map((name) => readFileSync("src/" + name, "utf8")).join("");
const defined = new Set([...text.matchAll(/^def (\\w+)/gm)].map(([, name]) => name));
const missing = [...text.matchAll(/^call (\\w+)/gm)].map(([, name]) => name).filter((name) => !defined.has(name));
if (missing.length > 0) { console.log("not defined: " + missing.join(", ")); process.exit(1); }
`;
const SETTINGS = '[verify]\ncommand = ["node", "check.mjs"]\n';

/** Step 1 renames a function, step 2 calls it by its old name; both begin on the same tree. */
function renameShop(settings = SETTINGS): RunShop {
  const shop = runShop(
    [
      { number: "1", tasks: ["rename"] },
      { number: "2", tasks: ["call"] },
    ],
    settings,
  );
  shop.repo.write("check.mjs", CHECK);
  shop.repo.write("src/lib.txt", "def old\n");
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-q", "-m", "a check");
  return shop;
}

const begun = (shop: RunShop, step: string) => shop.path(`begun-${step}`);
/** Neither ends before both have begun. */
const together = (shop: RunShop, ...acts: Acts): Acts => [
  { sh: `touch '${shop.path("begun-")}{step}'` },
  { waitFor: begun(shop, "step-1") },
  { waitFor: begun(shop, "step-2") },
  ...acts,
  { tick: "all" },
];
const RENAME = { write: "src/lib.txt", text: "def new\n" };
const CALL_OLD = { write: "src/use.txt", text: "call old\n" };
const CALL_NEW = { write: "src/use.txt", text: "call new\n" };

/** Until the plan's branch has a commit. */
const UNTIL_LANDED = {
  sh: 'until [ "$(git rev-parse pawl/plan)" != "$(git rev-parse main)" ]; do sleep 0.02; done',
};

/** Every commit that the plan put on its branch passes the check by itself. */
function expectAllPass(shop: RunShop): void {
  const commits = shop.repo.git("rev-list", "--reverse", "main..pawl/plan").split("\n").filter(Boolean);
  const trees = new Set(
    shop.query("select tree from tree_verdicts where outcome = 'passed'").map(({ tree }) => String(tree)),
  );
  for (const commit of commits)
    expect(trees).toContain(shop.repo.git("rev-parse", `${commit}^{tree}`).trim());
}

interface Start {
  readonly argv: readonly string[];
  readonly prompt: string;
}

/** What the agent was started with for a step, each time. */
const startsOf = (shop: RunShop, step: string): readonly Start[] =>
  readdirSync(shop.path("."))
    .filter((name) => name.startsWith(`script.json.${step}.`))
    .toSorted()
    .map((name) => JSON.parse(readFileSync(shop.path(name), "utf8")) as Start);

const sessionIn = (argv: readonly string[]): string => argv[argv.indexOf("--session-id") + 1]!;

// proves G-done-means-evidence
describe("two steps that pass alone and fail together", () => {
  it("do not both land: the later one goes back to its agent, which makes them work together", async () => {
    const shop = renameShop();
    shop.script({
      steps: {
        "step-1": [together(shop, RENAME)],
        "step-2": [together(shop, CALL_OLD, UNTIL_LANDED), [CALL_NEW, { tick: "all" }]],
      },
    });
    const { code, stderr } = await shop.run("--workers", "2");
    expect(stderr).toContain("back to its agent");
    expect(code).toBe(0);
    expect(shop.steps()).toEqual(["step-1 completed", "step-2 completed"]);
    expect(shop.commits().toSorted()).toEqual(["step-1", "step-2"]);
    expect(shop.starts("step-2")).toBe(2);
    expectAllPass(shop);
    expect(shop.repo.git("show", "pawl/plan:src/use.txt")).toContain("call new");
  });

  it.each([
    ["on the tip", ""],
    ["with merges", '[landing]\nstyle = "merge"\n'],
  ])("leave the later one to a person when its agent cannot make them work together, %s", async (_, more) => {
    const shop = renameShop(`${SETTINGS}${more}`);
    shop.script({
      steps: {
        "step-1": [together(shop, RENAME)],
        "step-2": [together(shop, CALL_OLD, UNTIL_LANDED), [CALL_OLD, { tick: "all" }]],
      },
    });
    const { code, stdout } = await shop.run("--workers", "2");
    expect({ code, stdout }).toMatchObject({ code: 5 });
    expect(stdout).not.toContain("warning");
    expect(shop.steps()).toEqual(["step-1 completed", "step-2 blocked"]);
    expect(
      shop.query("select block_reason, verification_attempts from steps where anchor = 'step-2'"),
    ).toEqual([{ block_reason: "landing_rejected", verification_attempts: 0 }]);
    // Once by itself, and twice with what landed: the third failure is for a person.
    expect(shop.starts("step-2")).toBe(3);
    expect(stdout).toContain("fails together with what");
    expect(shop.commits()).toEqual(["step-1"]);
    expectAllPass(shop);
  });

  it.each(["linear", "merge"])(
    "count apart from the attempts of the step, which may have failed twice before, with %s",
    async (style) => {
      const shop = renameShop(`${SETTINGS}[landing]\nstyle = "${style}"\n`);
      const fails = [{ write: "src/use.txt", text: "call nothing\n" }, { tick: "all" }];
      const calls = { sh: `touch '${shop.path("third")}'` };
      shop.script({
        steps: {
          "step-1": [[{ waitFor: shop.path("third") }, RENAME, { tick: "all" }]],
          "step-2": [
            fails,
            fails,
            [calls, CALL_OLD, UNTIL_LANDED, { tick: "all" }],
            [CALL_OLD, { tick: "all" }],
            [CALL_NEW, { tick: "all" }],
          ],
        },
      });
      const { code, stdout, stderr } = await shop.run("--workers", "2");
      expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
      expect(shop.steps()).toEqual(["step-1 completed", "step-2 completed"]);
      expectAllPass(shop);
    },
  );

  it("goes back in the agent's own conversation, with what failed and what landed", async () => {
    const shop = renameShop(`${SETTINGS}[agents.claude]\nprogram = ["node", "${SCRIPTED_AGENT}"]\n`);
    shop.script({
      speak: "claude",
      steps: {
        "step-1": [together(shop, RENAME)],
        "step-2": [together(shop, CALL_OLD, UNTIL_LANDED), [CALL_NEW, { tick: "all" }]],
      },
    });
    const { code } = await pawlAsync(
      { cwd: shop.repo.path, env: shop.env },
      "run",
      "plan.md",
      "--workers",
      "2",
      "--agent",
      "claude",
    );
    expect(code).toBe(0);
    const [first, second] = startsOf(shop, "step-2");
    expect(second!.argv.join(" ")).toContain(`--resume ${sessionIn(first!.argv)}`);
    expect(second!.prompt).toContain("not defined: old");
    expect(second!.prompt).toContain(", checked together with what landed meanwhile:");
    expect(second!.prompt).toContain("-def old");
    expect(second!.prompt).toContain("+def new");
  });

  it.each([
    ["merge", '[landing]\nstyle = "merge"\n'],
    ["in place", "clean = false\n"],
    ["merge in place", 'clean = false\n[landing]\nstyle = "merge"\n'],
  ])("do not both land with %s either", async (_, more) => {
    const shop = renameShop(`${SETTINGS}${more}`);
    shop.script({
      steps: {
        "step-1": [together(shop, RENAME)],
        "step-2": [together(shop, CALL_OLD, UNTIL_LANDED), [CALL_NEW, { tick: "all" }]],
      },
    });
    const { code, stderr } = await shop.run("--workers", "2");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain("back to its agent");
    expect(shop.steps()).toEqual(["step-1 completed", "step-2 completed"]);
    expectAllPass(shop);
    expect(shop.repo.git("show", "pawl/plan:src/use.txt")).toContain("call new");
  });
});

describe("a merge that is overtaken while it is checked in place", () => {
  it("is checked again on the files that land, not on those of the merge before", async () => {
    const shop = runShop(
      ["rename", "other", "call"].map((task, at) => ({ number: String(at + 1), tasks: [task] })),
      "",
    );
    const at = (name: string) => shop.path(name);
    // The first step's second check is that of its merge with the second step: it ends when the third one has landed.
    const check = `[ "$PAWL_STEP" = step-1 ] || exec node check.mjs
echo >> '${at("checks")}'
if [ $(wc -l < '${at("checks")}') = 2 ]; then
  touch '${at("merging")}'
  until git show pawl/plan:src/use.txt >'${at("seen")}' 2>&1; do sleep 0.02; done
fi
exec node check.mjs
`;
    shop.repo.write(
      "pawl.toml",
      `[verify]\ncommand = ["sh", "check.sh"]\nclean = false\n[landing]\nstyle = "merge"\n`,
    );
    shop.repo.write("check.mjs", CHECK);
    shop.repo.write("check.sh", check);
    shop.repo.write("src/lib.txt", "def old\n");
    shop.repo.git("add", "-A");
    shop.repo.git("commit", "-q", "-m", "a check");
    shop.script({
      steps: {
        "step-1": [
          [{ sh: `touch '${at("begun")}'` }, UNTIL_LANDED, RENAME, { tick: "all" }],
          [CALL_NEW, { tick: "all" }],
        ],
        "step-2": [[{ waitFor: at("begun") }, { write: "src/other.txt", text: "" }, { tick: "all" }]],
        "step-3": [[{ waitFor: at("merging") }, CALL_OLD, { tick: "all" }]],
      },
    });
    const { code, stderr } = await shop.run("--workers", "3");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain("step-1: sent back to its agent");
    expect(shop.repo.git("show", "pawl/plan:src/use.txt")).toContain("call new");
    expect(shop.repo.git("show", "pawl/plan:src/lib.txt")).toContain("def new");
  });
});

describe("two steps that change the same lines", () => {
  it("both land: the later agent gets both with conflict markers, once", async () => {
    const shop = renameShop();
    const first = { write: "src/lib.txt", text: "def old\ndef one\n" };
    const second = { write: "src/lib.txt", text: "def old\ndef two\n" };
    const both = {
      sh: "grep -q '^<<<<<<<' src/lib.txt && printf 'def old\\ndef one\\ndef two\\n' > src/lib.txt",
    };
    shop.script({
      steps: {
        "step-1": [together(shop, first)],
        "step-2": [together(shop, second, UNTIL_LANDED), [both, { tick: "all" }]],
      },
    });
    const { code, stderr } = await shop.run("--workers", "2");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(shop.repo.git("show", "pawl/plan:src/lib.txt")).toBe("def old\ndef one\ndef two");
    expectAllPass(shop);
  });
});

describe("a file that git ignores in one worktree and another step commits", () => {
  it("is left alone: the step lands by a merge, and both its trees are verified", async () => {
    const shop = renameShop();
    shop.repo.write(".gitignore", "out.log\n");
    shop.repo.git("add", "-A");
    shop.repo.git("commit", "-qm", "ignore");
    shop.script({
      steps: {
        "step-1": [together(shop, { sh: "echo one > out.log && git add -f out.log" })],
        "step-2": [
          together(shop, { sh: "echo two > out.log" }, { write: "src/two.txt", text: "" }, UNTIL_LANDED),
        ],
      },
    });
    const { code, stderr } = await shop.run("--workers", "2");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(shop.repo.git("show", "pawl/plan:out.log")).toBe("one");
    expect(shop.repo.git("log", "--merges", "--format=%s", "main..pawl/plan")).toContain("Merge pawl/plan-w");
    expect(shop.commits().toSorted()).toEqual(["step-1", "step-2"]);
    expectAllPass(shop);
  });
});

describe("landings without anything in between", () => {
  it("cost no second verification, and each step is one commit on the one before", async () => {
    const shop = runShop(
      Array.from({ length: 6 }, (_, index) => ({ number: String(index + 1), tasks: ["dig"] })),
      `[verify]\ncommand = ["sh", "-c", "echo >> '$COUNT'"]\n`,
    );
    const count = shop.path("count");
    shop.repo.write("pawl.toml", `[verify]\ncommand = ["sh", "-c", "echo >> '${count}'"]\n`);
    shop.repo.git("commit", "-qam", "count");
    expect(await shop.run("--workers", "3")).toMatchObject({ code: 0 });
    expect(shop.commits()).toHaveLength(6);
    expect(shop.repo.git("log", "--merges", "--format=%h", "main..pawl/plan")).toBe("");
    expectAllPass(shop);
  });
});

/** Kills the run that a hook of its git runs for. */
const KILL_RUN = `p=$$
while ! tr '\\0' ' ' < /proc/$p/cmdline | grep -q 'pawl.cjs run'; do p=$(ps -o ppid= -p $p | tr -d ' '); done
kill -9 $p
`;

describe("a hook that breaks what was verified, and a kill before that is noticed", () => {
  it.each([
    ["the next run", ["run", "plan.md"]],
    ["resume", ["resume"]],
    ["recover, and then a run", ["recover", "--auto"], ["run", "plan.md"]],
    ["reconcile, and then a run", ["state", "reconcile", "plan.md"], ["run", "plan.md"]],
    ["doctor, and then a run", ["doctor", "--fix"], ["run", "plan.md"]],
  ])("lands nothing that fails, by %s", async (_, ...calls) => {
    const shop = renameShop();
    const corrects = [{ sh: "rm src/hooked.txt" }, { tick: "all" }];
    shop.script({
      steps: { "step-1": [[RENAME, { tick: "all" }], corrects], "step-2": [[CALL_NEW, { tick: "all" }]] },
    });
    const once = shop.path("once");
    writeFileSync(once, "");
    const hook = (name: string, text: string) =>
      writeFileSync(join(shop.repo.path, ".git/hooks", name), `#!/bin/sh\n${text}`, { mode: 0o755 });
    hook(
      "pre-commit",
      `[ -e '${once}' ] || exit 0\necho call gone > src/hooked.txt\ngit add src/hooked.txt\n`,
    );
    hook("post-commit", `[ -e '${once}' ] || exit 0\nrm '${once}'\n${KILL_RUN}`);
    expect((await shop.run()).code).not.toBe(0);
    for (const call of calls) {
      const words = call[0] === "run" ? [...call, ...AGENT] : call;
      await pawlAsync({ cwd: shop.repo.path, env: shop.env }, ...words);
      expectAllPass(shop);
    }
    expect(shop.steps()).toEqual(["step-1 completed", "step-2 completed"]);
  });
});
