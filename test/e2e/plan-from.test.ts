import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { draftGuide } from "../../src/plans/formats/drafts.ts";
import { lastJson, PAWL } from "../support/cli.ts";
import { cleanEnv } from "../support/repository.ts";
import { type Acts, AGENT } from "../support/run-shop.ts";
import { specShop } from "../support/spec-shop.ts";
import { until } from "../support/until.ts";

/** What a planner does: it writes the plan where it was asked to. */
const writes = (file: string, text: string): Acts => [{ write: `.pawl-draft/${file}`, text }];

const GOOD_PLAN = draftGuide("tugplan").example;

describe("plan new --from", () => {
  it("has an agent write the plan, hands back what is wrong, and lists open questions", () => {
    const shop = specShop(undefined);
    const bad = "# A\n\n#### Step 1: a {#step-1}\n\n**Depends on:** #step-9\n";
    shop.script({ steps: { run: [writes("shed.md", bad), writes("shed.md", GOOD_PLAN)] } });
    const answer = shop.pawl("plan", "new", "shed", "--json", "--from", "Build a shed", ...AGENT);
    const { data } = lastJson(answer) as { data: unknown };
    expect(data).toMatchObject({
      plan_path: "shed.md",
      format: "tugplan",
      step_count: 2,
      open_questions: ["Which versions must stay readable?"],
    });
    expect(readFileSync(join(shop.repo.path, "shed.md"), "utf8")).toBe(GOOD_PLAN);
    expect(shop.starts("run")).toBe(2);
    expect(shop.prompt("run", 1)).toContain(".pawl-draft/description.md");
    expect(shop.prompt("run", 2)).toMatch(/#step-9|step-9/);
    expect(shop.prompt("run", 2)).toContain("## Open questions");
    // Nothing is carried out, and nothing else stays behind.
    expect(shop.repo.git("status", "--porcelain")).toBe("?? shed.md");
    expect(shop.repo.git("worktree", "list")).not.toContain("-plan-");
    expect(shop.query("select count(*) as n from plans")).toEqual([{ n: 0 }]);
    expect(shop.query("select kind, status from sessions")).toEqual([{ kind: "plan", status: "completed" }]);
  });

  it("takes the description from a file, writes the format that was asked for, and overwrites nothing", () => {
    const shop = specShop(undefined);
    const text = draftGuide("ralph").example;
    shop.script({ steps: { run: [writes("prd.json", text)] } });
    shop.repo.write("issue.md", "# Header\n\nRead it.\n");
    const from = ["plan", "new", "prd", "--from", "issue.md", "--format", "ralph", ...AGENT];
    const { code, stderr } = shop.pawl(...from);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(readFileSync(join(shop.repo.path, "prd.json"), "utf8")).toBe(text);
    const again = shop.pawl(...from);
    expect(again.code).not.toBe(0);
    expect(again.stderr).toContain("E084");
    expect(shop.starts("run")).toBe(1);
  });

  it("gives up after three returns and leaves no plan", () => {
    const shop = specShop(undefined);
    shop.script({ steps: { run: [writes("shed.md", "# Nothing\n")] } });
    const { code, stderr } = shop.pawl("plan", "new", "shed", "--from", "Build a shed", ...AGENT);
    expect(code).toBe(5);
    expect(stderr).toContain("E200");
    expect(shop.starts("run")).toBe(4);
    expect(existsSync(join(shop.repo.path, "shed.md"))).toBe(false);
  });

  it("says that the planner failed, and how, where it wrote nothing", () => {
    const shop = specShop(undefined);
    const program = ["--", "sh", "-c", "exit 3"];
    const { code, stderr } = shop.pawl("plan", "new", "shed", "--from", "Build a shed", ...program);
    expect(code).toBe(5);
    expect(stderr).toMatch(/no usable plan.*was not written, and the planner failed with exit code 3/s);
  });

  it("changes nothing when it is killed, and begins anew", async () => {
    const shop = specShop(undefined);
    shop.script({ steps: { run: [[{ write: "half.txt" }, { hang: true }], writes("shed.md", GOOD_PLAN)] } });
    const args = ["plan", "new", "shed", "--from", "Build a shed", ...AGENT];
    const { child, ended } = shop.start(...args);
    await until(() => shop.starts("run") === 1);
    child.kill("SIGKILL");
    await ended;
    expect(existsSync(join(shop.repo.path, "shed.md"))).toBe(false);
    const { code, stderr } = shop.pawl(...args);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(readFileSync(join(shop.repo.path, "shed.md"), "utf8")).toBe(GOOD_PLAN);
  });

  it("refuses what it cannot plan from, before any agent starts", () => {
    const shop = specShop(undefined);
    for (const [options, words] of [
      [["--from", " "], "nothing to plan"],
      [["--from", "docs/prd.md"], "docs/prd.md does not exist"],
      [["--from", "a b", "--format", "beads"], "beads"],
      [["--format", "headed"], "needs --from"],
    ] as const) {
      const { code, stderr } = shop.pawl("plan", "new", "shed", ...options);
      expect(code).not.toBe(0);
      expect(stderr).toContain(words);
    }
    expect(existsSync(join(shop.repo.path, "shed.md"))).toBe(false);
    expect(existsSync(join(shop.repo.path, ".git/pawl/state.db"))).toBe(false);
  });

  it("reads what is piped in, also where it takes its time", () => {
    const shop = specShop(undefined);
    writeFileSync(join(shop.repo.path, ".git/info/exclude"), "seen\n");
    const planner = `cat .pawl-draft/description.md > "$1/seen"; printf '%s' "$2" > .pawl-draft/shed.md`;
    const pawl = `${process.execPath} ${PAWL}`;
    // The silence that other commands take for a pipe that was left open is over by then.
    const script = `(sleep 1.5; echo "Build a shed") | ${pawl} plan new shed --from - -- sh -c "$1" sh "$2" "$3"`;
    const { status, stderr } = spawnSync("sh", ["-c", script, "sh", planner, shop.repo.path, GOOD_PLAN], {
      cwd: shop.repo.path,
      env: cleanEnv({}),
      encoding: "utf8",
    });
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(readFileSync(join(shop.repo.path, "seen"), "utf8")).toBe("Build a shed\n");
    expect(readFileSync(join(shop.repo.path, "shed.md"), "utf8")).toBe(GOOD_PLAN);
  });
});
