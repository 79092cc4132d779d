import { describe, expect, it } from "vitest";
import { type RunShop, runShop } from "../support/run-shop.ts";

/** Fails where something is called that nothing defines. */
const CHECK = `
import { readdirSync, readFileSync } from "node:fs";
const text = readdirSync("src").map((name) => readFileSync("src/" + name, "utf8")).join("");
const defined = new Set([...text.matchAll(/^def (\\w+)/gm)].map(([, name]) => name));
const missing = [...text.matchAll(/^call (\\w+)/gm)].map(([, name]) => name).filter((name) => !defined.has(name));
if (missing.length > 0) { console.log("not defined: " + missing.join(", ")); process.exit(1); }
`;
const SETTINGS = '[verify]\ncommand = ["node", "check.mjs"]\n';

const CALL_OLD = [{ write: "src/use.txt", text: "call old\n" }, { tick: "all" }];
/** Works with the old and with the new base. */
const KEEP_OLD = [{ write: "src/kept.txt", text: "def old\n" }, { tick: "all" }];

interface Shop extends RunShop {
  /** Commits a file to the base, as another person would. */
  readonly commitToBase: (file: string, text: string) => void;
  readonly at: (name: string) => string;
  readonly events: (name: string) => readonly Readonly<Record<string, unknown>>[];
}

/** Step 1 calls a function of the base; step 2 comes after it. */
function shopWith(settings = SETTINGS): Shop {
  const shop = runShop(
    [
      { number: "1", tasks: ["call"] },
      { number: "2", tasks: ["more"], dependsOn: ["step-1"] },
    ],
    settings,
  );
  shop.repo.write("check.mjs", CHECK);
  shop.repo.write("src/lib.txt", "def old\n");
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-q", "-m", "a check");
  shop.script({ steps: { "step-1": [CALL_OLD], "step-2": [KEEP_OLD] } });
  return {
    ...shop,
    commitToBase(file, text) {
      shop.repo.write(file, text);
      shop.repo.git("add", "-A");
      shop.repo.git("commit", "-q", "-m", `base: ${file}`);
    },
    at: (name) => shop.repo.git("rev-parse", name).trim(),
    events: (name) =>
      shop
        .query(`select detail from events where event = '${name}' order by id`)
        .map(({ detail }) => JSON.parse(String(detail)) as Readonly<Record<string, unknown>>),
  };
}

/** With step 1 on the plan's branch. */
async function begunShop(settings?: string): Promise<Shop> {
  const shop = shopWith(settings);
  expect(await shop.run("--max-steps", "1")).toMatchObject({ code: 0 });
  expect(shop.commits()).toEqual(["step-1"]);
  return shop;
}

const hasPassed = (shop: Shop, name: string): boolean =>
  shop.query(`select 1 from tree_verdicts where outcome = 'passed' and tree = '${shop.at(`${name}^{tree}`)}'`)
    .length > 0;

describe("a base that moved so that it fails with the plan's branch", () => {
  it("is named by sync and by the run, and a step makes both work together", async () => {
    const shop = await begunShop();
    shop.commitToBase("src/lib.txt", "def new\n");
    const [main, plan] = [shop.at("main"), shop.at("pawl/plan")];
    expect(shop.pawl("worktree", "merge", "plan.md")).toMatchObject({ code: 1 });
    const { code, stderr } = shop.pawl("worktree", "sync", "plan.md");
    expect(code).toBe(4);
    expect(stderr).toContain("error[E435]");
    expect(stderr).toContain("node check.mjs failed (exit 1) on pawl/plan and main together");
    expect(stderr).toContain("not defined: old");
    expect([shop.at("main"), shop.at("pawl/plan")]).toEqual([main, plan]);
    const run = await shop.run();
    expect(run.code).toBe(0);
    // Reported while the run works, and once more at its end.
    expect(run.stderr).toContain("main has moved and does not get here: node check.mjs failed");
    expect(shop.events("branch-sync-failed")).toMatchObject([
      { problem: "sync/rejected", base_commit: main, output: ["not defined: old"] },
    ]);
    expect(shop.steps()).toEqual(["step-1 completed", "step-2 completed"]);
    expect(shop.pawl("worktree", "sync", "plan.md")).toMatchObject({ code: 0 });
    expect(hasPassed(shop, "pawl/plan")).toBe(true);
    const merged = shop.json("worktree", "merge", "plan.md").data;
    expect(merged).toMatchObject({ merged: true, verified: true, verification: { known: true } });
    expect(hasPassed(shop, "main")).toBe(true);
  });
});

describe("a run between two steps", () => {
  const MOVE_BASE = (shop: Shop) => ({
    sh: `cd '${shop.repo.path}' && printf 'def more\\n' > src/more.txt && git add src/more.txt && git commit -q -m 'base moves'`,
  });

  it("brings a base that moved into the plan's branch, verified, and the next step builds on it", async () => {
    const shop = shopWith();
    const seen = { sh: "cp src/more.txt src/seen.txt" };
    shop.script({
      steps: { "step-1": [[MOVE_BASE(shop), ...CALL_OLD]], "step-2": [[seen, ...KEEP_OLD]] },
    });
    expect(await shop.run()).toMatchObject({ code: 0 });
    expect(shop.repo.git("show", "pawl/plan:src/seen.txt")).toBe("def more");
    const [synced] = shop.events("branch-synced");
    expect(synced).toMatchObject({ base: "main", how: "merge", verification: "passed" });
    expect(hasPassed(shop, String(synced!["commit"]))).toBe(true);
    expect(shop.json("worktree", "merge", "plan.md").data).toMatchObject({ verification: { known: true } });
  });

  it("leaves the plan's branch alone with sync = false", async () => {
    const shop = shopWith(`${SETTINGS}[landing]\nsync = false\n`);
    shop.script({ steps: { "step-1": [[MOVE_BASE(shop), ...CALL_OLD]], "step-2": [KEEP_OLD] } });
    expect(await shop.run()).toMatchObject({ code: 0 });
    expect(shop.events("branch-synced")).toEqual([]);
    expect(shop.repo.git("ls-tree", "--name-only", "pawl/plan", "src/more.txt")).toBe("");
  });
});

describe("pawl worktree sync", () => {
  it("previews, moves a checkout along, and has nothing to do the second time", async () => {
    const shop = await begunShop();
    shop.commitToBase("src/more.txt", "def more\n");
    shop.repo.git("worktree", "add", "-q", shop.path("here"), "pawl/plan");
    const before = shop.at("pawl/plan");
    expect(shop.json("worktree", "sync", "plan.md", "--dry-run").data).toMatchObject({
      synced: false,
      how: "merge",
      commits: 1,
      files: ["src/more.txt"],
      verification: { outcome: "pending", known: false },
    });
    expect(shop.at("pawl/plan")).toBe(before);
    expect(shop.json("worktree", "sync", "plan.md").data).toMatchObject({
      synced: true,
      verified: true,
      commit_hash: shop.at("pawl/plan"),
    });
    expect(shop.repo.git("-C", shop.path("here"), "status", "--porcelain")).toBe("");
    expect(shop.repo.git("-C", shop.path("here"), "rev-parse", "HEAD").trim()).toBe(shop.at("pawl/plan"));
    expect(shop.json("worktree", "sync", "plan.md").data).toMatchObject({ synced: false, up_to_date: true });
  });

  it("moves the branch of a shared remote, and follows what another clone pushed there", async () => {
    const shop = shopWith(`remote = "origin"\n${SETTINGS}`);
    const remote = shop.path("remote.git");
    shop.repo.git("init", "-q", "--bare", "-b", "main", remote);
    shop.repo.git("remote", "add", "origin", remote);
    shop.repo.git("push", "-q", "origin", "main");
    expect(await shop.run("--max-steps", "1")).toMatchObject({ code: 0 });
    const other = shop.path("other");
    shop.repo.git("clone", "-q", "-b", "pawl/plan", remote, other);
    shop.repo.git("-C", other, "commit", "-q", "--allow-empty", "-m", "theirs");
    shop.repo.git("-C", other, "push", "-q", "origin", "pawl/plan");
    shop.commitToBase("src/more.txt", "def more\n");
    expect(shop.json("worktree", "sync", "plan.md").data).toMatchObject({ synced: true, verified: true });
    expect(shop.repo.git("-C", remote, "rev-parse", "pawl/plan").trim()).toBe(shop.at("pawl/plan"));
    expect(shop.repo.git("log", "--format=%s", "pawl/plan")).toContain("theirs");
  });

  it("names the files of a conflict, and nothing moves", async () => {
    const shop = await begunShop();
    shop.commitToBase("src/use.txt", "call nothing\n");
    const before = shop.at("pawl/plan");
    const { code, stderr } = shop.pawl("worktree", "sync", "plan.md");
    expect(code).toBe(4);
    expect(stderr).toContain("error[E434]");
    expect(stderr).toContain("src/use.txt");
    expect(stderr).toContain("`pawl worktree create plan.md`");
    expect(shop.at("pawl/plan")).toBe(before);
  });

  it("names the way out of a conflict at the merge, in its hint and in `pawl`, and the way works", async () => {
    const shop = shopWith("");
    expect(await shop.run()).toMatchObject({ code: 0 });
    shop.commitToBase("src/use.txt", "call other\n");
    const { code, stderr } = shop.pawl("worktree", "merge", "plan.md");
    expect({ code, stderr }).toMatchObject({ code: 4, stderr: expect.stringContaining("E110") as string });
    const words = stderr.replaceAll(/\s+/g, " ");
    for (const command of ["pawl worktree create plan.md", "git merge main", "pawl worktree merge plan.md"])
      expect(words).toContain(`\`${command}\``);
    expect(shop.pawl().stdout).toMatch(
      /^Needs you +pawl\/plan and main changed[^]*^Next +pawl worktree create plan\.md$/m,
    );

    const { worktree_path: path } = shop.json("worktree", "create", "plan.md").data as Record<string, string>;
    shop.repo.git("-C", path!, "merge", "-q", "-s", "ours", "-m", "both", "main");
    expect(shop.pawl().stdout).toMatch(/^Next +pawl worktree merge plan\.md$/m);
    expect(shop.pawl("worktree", "merge", "plan.md")).toMatchObject({ code: 0 });
  });
});
