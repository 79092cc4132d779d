import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../support/until.ts";
import { type RunShop, runShop, untilThere } from "../support/run-shop.ts";

/** Fails where something is called that nothing defines; counts how often it is run. */
const CHECK = (count: string) => `
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
appendFileSync(${JSON.stringify(count)}, "x");
const text = readdirSync("src").map((name) => readFileSync("src/" + name, "utf8")).join("");
const defined = new Set([...text.matchAll(/^def (\\w+)/gm)].map(([, name]) => name));
const missing = [...text.matchAll(/^call (\\w+)/gm)].map(([, name]) => name).filter((name) => !defined.has(name));
if (missing.length > 0) { console.log("not defined: " + missing.join(", ")); process.exit(1); }
`;

const CALL_OLD = { write: "src/use.txt", text: "call old\n" };

interface Shop extends RunShop {
  /** How often the check was run. */
  readonly checks: () => number;
  /** Commits a file to the base, as another person would. */
  readonly commitToBase: (file: string, text: string) => void;
  readonly at: (branch: string) => string;
}

function shopWith(settings = '[verify]\ncommand = ["node", "check.mjs"]\n'): Shop {
  const shop = runShop([{ number: "1", tasks: ["call"] }], settings);
  const count = shop.path("count");
  shop.repo.write("check.mjs", CHECK(count));
  shop.repo.write("src/lib.txt", "def old\n");
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-q", "-m", "a check");
  shop.script({ steps: { "step-1": [[CALL_OLD, { tick: "all" }]] } });
  return {
    ...shop,
    checks: () => (existsSync(count) ? readFileSync(count, "utf8").length : 0),
    commitToBase(file, text) {
      shop.repo.write(file, text);
      shop.repo.git("add", "-A");
      shop.repo.git("commit", "-q", "-m", `base: ${file}`);
    },
    at: (branch) => shop.repo.git("rev-parse", branch).trim(),
  };
}

/** The plan calls a function, and the base has renamed it since. */
async function renamedShop(settings?: string): Promise<Shop> {
  const shop = shopWith(settings);
  expect(await shop.run()).toMatchObject({ code: 0 });
  shop.commitToBase("src/lib.txt", "def new\n");
  return shop;
}

describe("a merge into a base that moved", () => {
  it("is refused when both fail together: the check is named, with its output, and nothing moves", async () => {
    const shop = await renamedShop();
    const before = shop.at("main");
    const { code, stderr } = shop.pawl("worktree", "merge", "plan.md");
    expect(code).toBe(1);
    expect(stderr).toContain("error[E432]");
    expect(stderr).toContain("node check.mjs failed (exit 1) on pawl/plan and main together");
    expect(stderr).toContain("not defined: old");
    expect(shop.at("main")).toBe(before);
    expect(shop.repo.git("status", "--porcelain")).toBe("");
    expect(shop.query("select event from events where event like 'worktree-merg%'")).toEqual([]);
  });

  it("names the way out, in its hint, its preview and in `pawl`, and the way works", async () => {
    const shop = await renamedShop();
    const next = () => /^Next +(.+)$/m.exec(shop.pawl().stdout)?.[1];
    expect(next()).toBe("pawl worktree merge plan.md");
    const words = shop.pawl("worktree", "merge", "plan.md").stderr.replaceAll(/\s+/g, " ");
    for (const command of ["pawl worktree create plan.md", "git merge main", "pawl worktree merge plan.md"])
      expect(words).toContain(`\`${command}\``);
    expect(shop.pawl("worktree", "merge", "plan.md", "--dry-run").stdout).toContain("failed on tree");
    expect(next()).toBe("pawl worktree create plan.md");
    expect(shop.pawl().stdout).toMatch(/^Needs you +node check\.mjs failed on pawl\/plan and main together/m);

    const { worktree_path: path } = shop.json("worktree", "create", "plan.md").data as Record<string, string>;
    shop.repo.git("-C", path!, "merge", "-q", "-m", "both", "main");
    writeFileSync(join(path!, "src/use.txt"), "call new\n");
    shop.repo.git("-C", path!, "commit", "-qam", "call it by its new name");
    expect(next()).toBe("pawl worktree merge plan.md");
    expect(shop.json("worktree", "merge", "plan.md").data).toMatchObject({ merged: true, verified: true });
  });

  it("runs the check once on what the base gets, and says so; a repeated preview costs nothing", async () => {
    const shop = shopWith();
    expect(await shop.run()).toMatchObject({ code: 0 });
    shop.commitToBase("src/other.txt", "def other\n");
    const before = shop.checks();
    const preview = shop.json("worktree", "merge", "plan.md", "--dry-run").data;
    expect(preview).toMatchObject({
      merged: false,
      verified: false,
      verification: { outcome: "pending", check: "node check.mjs", known: false },
    });
    expect(shop.pawl("worktree", "merge", "plan.md", "--dry-run").stdout).toContain(": 1 changed file, no");
    expect(shop.checks()).toBe(before);
    const merged = shop.json("worktree", "merge", "plan.md").data;
    const tree = shop.repo.git("rev-parse", "main^{tree}").trim();
    expect(merged).toMatchObject({
      merged: true,
      verified: true,
      verification: { outcome: "passed", known: false, tree },
    });
    expect(preview.verification.tree).toBe(tree);
    expect(shop.checks()).toBe(before + 1);
    const [line] = shop.query("select detail from events where event = 'worktree-merged'");
    expect(JSON.parse(String(line!["detail"]))).toMatchObject({ verification: "passed", tree });
  });

  it("is verified again when the base moves during the check", async () => {
    const shop = shopWith();
    expect(await shop.run()).toMatchObject({ code: 0 });
    const [begun, go] = [shop.path("begun"), shop.path("go")];
    // The second check of the merge finds the file that says it may end.
    const wait = `\nimport { existsSync, writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(begun)}, "");\nwhile (!existsSync(${JSON.stringify(go)})) await new Promise((done) => setTimeout(done, 10));\n`;
    appendFileSync(join(shop.repo.path, "check.mjs"), wait);
    shop.repo.git("commit", "-qam", "a check that waits");
    const merging = shop.start("worktree", "merge", "plan.md", "--json");
    await untilThere(begun);
    shop.commitToBase("src/lib.txt", "def new\n");
    const moved = shop.at("main");
    shop.repo.write("../go", "");
    const { code, stdout } = await merging.ended;
    expect(code).toBe(1);
    expect(stdout).toContain("not defined: old");
    expect(shop.at("main")).toBe(moved);
  });
});

describe("a merge that needs no check", () => {
  it("costs none where the base stayed: the plan's branch has passed", async () => {
    const shop = shopWith();
    expect(await shop.run()).toMatchObject({ code: 0 });
    const before = shop.checks();
    const { code, stdout } = shop.pawl("worktree", "merge", "plan.md");
    expect(code).toBe(0);
    expect(stdout).toContain("verified: node check.mjs passed on tree");
    expect(stdout).toContain("(known)");
    expect(shop.checks()).toBe(before);
  });

  it("says that nothing was verified where no check is configured", async () => {
    const shop = shopWith("");
    expect(await shop.run()).toMatchObject({ code: 0 });
    shop.commitToBase("src/lib.txt", "def new\n");
    expect(shop.json("worktree", "merge", "plan.md").data).toMatchObject({
      merged: true,
      verified: false,
      verification: { outcome: "not_verified", check: null },
    });
    expect(shop.checks()).toBe(0);
  });
});

describe("--unverified", () => {
  it("merges without the check, and the answer, the journal and the worktrees say so", async () => {
    const shop = await renamedShop();
    const before = shop.checks();
    const { code, stdout } = shop.pawl("worktree", "merge", "plan.md", "--unverified", "the check is broken");
    expect(code).toBe(0);
    expect(stdout).toContain("NOT VERIFIED: node check.mjs was left out on purpose: the check is broken");
    expect(shop.checks()).toBe(before);
    const [line] = shop.query("select detail from events where event = 'worktree-merged'");
    expect(JSON.parse(String(line!["detail"]))).toMatchObject({
      verification: "unverified",
      because: "the check is broken",
    });
    expect(shop.pawl("worktree", "list").stdout).toMatch(
      /NOT VERIFIED main got pawl\/plan .*: the check is broken/,
    );
    const { steps } = shop.json("explain", "plan.md", "step-1").data;
    const facts = steps[0].evidence.map(({ fact }: { fact: string }) => fact);
    expect(facts).toContainEqual(
      expect.stringMatching(/^main got it in \w+ without node check\.mjs: the check/),
    );
  });

  it("is refused to an agent", async () => {
    const shop = shopWith();
    const said = shop.path("said");
    const pawl = `"$(echo "$SCRIPTED_AGENT_PAWL" | head -1)" "$(echo "$SCRIPTED_AGENT_PAWL" | tail -1)"`;
    const sh = `${pawl} worktree merge plan.md --unverified no > '${said}' 2>&1; echo "exit $?" >> '${said}'`;
    shop.script({ steps: { "step-1": [[{ sh }, CALL_OLD, { tick: "all" }]] } });
    const before = shop.at("main");
    expect(await shop.run()).toMatchObject({ code: 0 });
    expect(readFileSync(said, "utf8")).toMatch(/E077[^]*exit 4/);
    expect(shop.at("main")).toBe(before);
  });
});

describe("a merge that is killed during its check", () => {
  it("leaves the base where it was, and the next call ends what it left running", async () => {
    const shop = shopWith();
    expect(await shop.run()).toMatchObject({ code: 0 });
    const [begun, pid] = [shop.path("begun"), shop.path("pid")];
    const hang = `\nimport { existsSync, writeFileSync } from "node:fs";\nif (!existsSync(${JSON.stringify(begun)})) { writeFileSync(${JSON.stringify(pid)}, String(process.pid)); writeFileSync(${JSON.stringify(begun)}, ""); setInterval(() => {}, 1000); }\n`;
    appendFileSync(join(shop.repo.path, "check.mjs"), hang);
    shop.repo.git("commit", "-qam", "a check that hangs once");
    const before = shop.at("main");
    const merging = shop.start("worktree", "merge", "plan.md");
    await untilThere(begun);
    merging.child.kill("SIGKILL");
    await merging.ended;
    expect(shop.at("main")).toBe(before);
    expect(shop.pawl("worktree", "merge", "plan.md")).toMatchObject({ code: 0 });
    const left = Number(readFileSync(pid, "utf8"));
    await until(() => !isAlive(left));
    expect(shop.repo.git("show", "main:src/use.txt")).toBe("call old");
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
