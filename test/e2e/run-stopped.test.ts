import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  AGENT,
  GOOD,
  type RunShop,
  runShop,
  type Started,
  THREE,
  untilWritten,
} from "../support/run-shop.ts";
import { lives } from "../support/supervised.ts";
import { until } from "../support/until.ts";

/** A runner that a person stopped (Ctrl-Z): it lives, so its step is never taken by itself, and a person can take it. */

const HANG = [{ write: "half.txt" }, { hang: true }];

const isStopped = (pid: number): boolean =>
  / T /.test(readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\)/, ""));

async function stopped(): Promise<RunShop & { readonly runner: Started; readonly pid: number }> {
  const shop = runShop([THREE[0]!, { number: "2", tasks: ["build"] }]);
  shop.script({ steps: { "step-1": [HANG, GOOD] } });
  const runner = shop.start("run", "plan.md", "--max-steps", "1", ...AGENT);
  await untilWritten(join(shop.worktree(), "half.txt"));
  const pid = runner.child.pid!;
  process.kill(pid, "SIGSTOP");
  await until(() => isStopped(pid));
  return { ...shop, runner, pid };
}

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
      ["state", "claim", "plan.md", "--step", "step-1", "--worktree", "."],
    ]) {
      const { stdout, stderr } = shop.pawl(...args);
      const said = flat(stdout + stderr);
      expect(said, args.join(" ")).toContain("stopped");
      expect(said, args.join(" ")).toContain(`pid ${shop.pid}`);
      expect(said, args.join(" ")).toContain(take);
    }
    shop.pawl("recover", "--auto");
    expect(shop.steps()).toEqual(["step-1 in_progress", "step-2 pending"]);
    expect(shop.json("status").data.sessions[0].stopped).toContain(take);
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
