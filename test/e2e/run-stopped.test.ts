import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { stoppedRunner as stopped } from "../support/stuck-shops.ts";
import { lives } from "../support/supervised.ts";
import { until } from "../support/until.ts";

/** A runner that a person stopped (Ctrl-Z): it lives, so its step is never taken by itself, and a person can take it. */

describe.runIf(process.platform === "linux")("a runner that is stopped", () => {
  it("is shown as such everywhere, with its process and both ways out, and nothing is taken from it", async () => {
    const shop = await stopped();
    const take = "pawl state release plan.md step-1 --force";
    const flat = (text: string) => text.replaceAll(/\s+/g, " ");
    for (const args of [
      ["status"],
      ["state", "show", "plan.md"],
      ["state", "ready", "plan.md"],
      ["explain", "plan.md", "step-1"],
      ["recover", "--dry-run"],
      ["sessions", "list"],
      ["resume"],
      ["state", "claim", "plan.md", "--step", "step-1", "--worktree", "."],
    ]) {
      const { stdout, stderr } = shop.pawl(...args);
      const said = flat(stdout + stderr);
      expect(said, args.join(" ")).toContain("stopped");
      expect(said, args.join(" ")).toContain(`pid ${shop.pid}`);
      expect(said, args.join(" ")).toContain(take);
      expect(said, args.join(" ")).not.toMatch(/\brunning\b|[1-9] working/);
    }
    shop.pawl("recover", "--auto");
    expect(shop.steps()).toEqual(["step-1 in_progress", "step-2 pending"]);
    expect(shop.pawl("status").stdout).toContain("0/2 · 1 stopped");
    const { sessions } = shop.json("status").data;
    expect(sessions[0]).toMatchObject({ status: "in_progress" });
    expect(sessions[0].stopped).toContain(take);
    const named = shop.pawl("resume", sessions[0].id);
    expect(named.code).not.toBe(0);
    expect(flat(named.stderr)).toContain(`is stopped (pid ${shop.pid}): continue it with fg`);
    process.kill(shop.pid, "SIGCONT");
    shop.runner.child.kill("SIGINT");
    expect((await shop.runner.ended).code).toBe(130);
  });

  it("loses its step to a person with its work saved, and notices when it wakes", async () => {
    const shop = await stopped();
    const agents = shop.pids();
    expect(agents.filter(lives)).toHaveLength(1);
    const { code, stdout } = shop.pawl("state", "release", "plan.md", "step-1", "--force");
    expect(code).toBe(0);
    const ref = /pawl snapshot show (\S+)/.exec(stdout)?.[1] ?? "";
    expect(shop.repo.git("ls-tree", "--name-only", ref)).toContain("half.txt");
    // Its agent is a child that the stopped runner has not waited for: dead, and still listed.
    await until(() => agents.every((pid) => !lives(pid) || isZombie(pid)));
    // The next run works beside it, in a worktree that it cannot wake in.
    const next = await shop.run("--max-steps", "1");
    expect({ code: next.code, stderr: next.stderr }).toMatchObject({ code: 0 });
    expect(shop.steps()).toEqual(["step-1 completed", "step-2 pending"]);
    expect(shop.query("select distinct worktree from sessions")).toHaveLength(2);
    const before = {
      refs: shop.repo.git("for-each-ref", "refs/heads"),
      steps: shop.query("select * from steps"),
    };
    process.kill(shop.pid, "SIGCONT");
    const woken = await shop.runner.ended;
    expect(woken).toMatchObject({ code: 4, signal: null });
    expect(woken.stdout.replaceAll(/\s+/g, " ")).toContain("Taken over.");
    expect(woken.stdout.replaceAll(/\s+/g, " ")).toContain("its step was taken over");
    expect(shop.repo.git("for-each-ref", "refs/heads")).toBe(before.refs);
    expect(shop.query("select * from steps")).toEqual(before.steps);
    expect(shop.starts("step-1")).toBe(2);
  });

  it("ends when it wakes also where its step waits for the next claim, and claims nothing", async () => {
    const shop = await stopped();
    expect(shop.pawl("state", "hold", "plan.md", "step-1").stdout).toContain("its uncommitted work is saved");
    writeFileSync(shop.path("go"), "");
    process.kill(shop.pid, "SIGCONT");
    expect((await shop.runner.ended).code).toBe(4);
    expect(shop.steps()).toEqual(["step-1 on_hold", "step-2 pending"]);
    expect(shop.query("select status from sessions")).toEqual([{ status: "abandoned" }]);
    expect(shop.starts("step-2")).toBe(0);
  });
});

const isZombie = (pid: number): boolean => readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
