import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lifelineFiles } from "../../src/platform/sqlite/lifeline-files.ts";
import { AGENT, runShop, untilWritten } from "../support/run-shop.ts";
import { until } from "../support/until.ts";

const HANG = [{ write: "half.txt" }, { hang: true }];

describe("a run that cannot begin as a whole", () => {
  it("leaves no session that could be resumed when the second worker gets no worktree", async () => {
    const settings = `worktree_setup = ["sh", "-c", 'case "$PWD" in *-w2) exit 1;; esac']\n`;
    const shop = runShop(undefined, settings);
    const { code, stderr } = await shop.run("--workers", "2");
    expect([code, stderr]).toEqual([1, expect.stringContaining("ended with exit code 1")]);
    expect(shop.query("select status from sessions")).toEqual([{ status: "failed" }, { status: "failed" }]);
    expect(existsSync(shop.worktree(2))).toBe(false);
    expect(shop.pawl("resume").stderr).toContain("no interrupted session");
  });

  it("leaves every session as it was when one of them is in other hands", async () => {
    const shop = runShop();
    shop.script({ steps: { "step-1": [HANG], "step-3": [HANG] }, runs: [HANG] });
    const { child, ended } = shop.start("run", "plan.md", "--workers", "2", ...AGENT);
    // Either of the two gets the one step that is ready.
    await until(() => [1, 2].some((worker) => existsSync(join(shop.worktree(worker), "half.txt"))));
    child.kill("SIGINT");
    await ended;
    const before = shop.query(
      "select id, status, interruption_type, resumable, snapshot_ref from sessions order by worktree",
    );
    expect(before.map(({ status, resumable }) => [status, resumable])).toEqual([
      ["interrupted", 1],
      ["interrupted", 1],
    ]);
    const line = lifelineFiles(join(shop.repo.path, ".git/pawl/lifelines")).hold(String(before[1]!["id"]));
    const refused = shop.pawl("resume", String(before[0]!["id"]));
    line.letGo();
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining("E172")]);
    const columns = "id, status, interruption_type, resumable, snapshot_ref";
    expect(shop.query(`select ${columns} from sessions order by worktree`)).toEqual(before);
  });
});

describe("a run that is interrupted where no snapshot can be taken", () => {
  it("is recorded all the same, and says that the files lie only where they are", async () => {
    const shop = runShop();
    shop.script({ runs: [HANG] });
    const { child, ended } = shop.start("run", "plan.md", ...AGENT);
    await untilWritten(join(shop.worktree(), "half.txt"));
    mkdirSync(join(shop.repo.path, ".git/refs/pawl"), { recursive: true });
    writeFileSync(join(shop.repo.path, ".git/refs/pawl/snapshots"), "in the way");
    child.kill("SIGINT");
    const { code, stderr } = await ended;
    expect([code, stderr]).toEqual([130, expect.stringContaining("no snapshot could be taken of")]);
    expect(shop.query("select status, snapshot_ref from sessions")).toEqual([
      { status: "interrupted", snapshot_ref: null },
    ]);
    expect(existsSync(join(shop.worktree(), "half.txt"))).toBe(true);
  });
});

describe("the worktree of an improvement", () => {
  const IMPROVE = ["improve", "--max-iterations", "1", "--", "sh", "-c", "cat > /dev/null; echo Spec: none"];

  it("is made again when a person removed its folder", () => {
    const shop = runShop();
    const place = join(shop.repo.path, ".pawl/worktrees/improve");
    expect(shop.pawl(...IMPROVE)).toMatchObject({ code: 0 });
    rmSync(place, { recursive: true });
    expect(shop.pawl(...IMPROVE)).toMatchObject({ code: 0 });
    expect(existsSync(join(place, "plan.md"))).toBe(true);
    rmSync(join(place, ".git"));
    const { code, stdout, stderr } = shop.pawl(...IMPROVE);
    // Where a line breaks depends on how long the temporary folder's name is.
    const said = `${stdout}${stderr}`.replaceAll(/\s+/g, " ");
    expect([code, said]).toEqual([0, expect.stringContaining("is kept; restore it with")]);
  });

  it("is set up like any other, once", () => {
    const shop = runShop(undefined, `worktree_setup = ["sh", "-c", "echo done >> set-up.log"]\n`);
    for (const _ of [1, 2]) expect(shop.pawl(...IMPROVE)).toMatchObject({ code: 0 });
    const log = join(shop.repo.path, ".pawl/worktrees/improve/set-up.log");
    expect(readFileSync(log, "utf8")).toBe("done\n");
  });
});
