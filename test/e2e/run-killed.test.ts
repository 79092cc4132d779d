import { describe, expect, it } from "vitest";
import { AGENT, type RunShop, runShop } from "../support/run-shop.ts";
import { atTerminal } from "../support/terminal.ts";
import { until } from "../support/until.ts";

/** What people see of a run of three workers that was killed with -9. */

const FOUR = ["1", "2", "3", "4"].map((number) => ({ number, tasks: ["dig"] }));
const HELD = ["step-1", "step-2", "step-3"];

/** Until each of the workers has its agent at work. */
async function threeAtWork(shop: RunShop) {
  shop.script({ runs: [[{ hang: true }]] });
  const run = shop.start("run", "plan.md", "--workers", "3", ...AGENT);
  await until(() => HELD.every((step) => shop.starts(step) === 1));
  return run;
}

interface Step {
  readonly anchor: string;
  readonly owner_gone: boolean;
  readonly status: string;
}

const gone = (shop: RunShop) =>
  (shop.json("state", "show", "plan.md").data.plan.steps as Step[])
    .filter(({ owner_gone }) => owner_gone)
    .map(({ anchor }) => anchor);

describe("a run that is killed", () => {
  it("leaves steps that are shown as free for the next claim", async () => {
    const shop = runShop(FOUR);
    const { child, ended } = await threeAtWork(shop);
    expect(gone(shop)).toEqual([]);
    expect(shop.pawl("state", "show", "plan.md").stdout).not.toContain("is gone");
    child.kill("SIGKILL");
    await ended;
    expect(gone(shop)).toEqual(HELD);
    const text = shop.pawl("state", "show", "plan.md").stdout.replaceAll(/\s+/g, " ");
    expect(text.match(/claim 1; that session is gone, and the next claim may take it/g)).toHaveLength(3);
    expect(text).not.toContain("lease");
  });

  /** Killed, with what its workers left running stopped, so that only the question is left. */
  async function killed() {
    const shop = runShop(FOUR);
    const { child, ended } = await threeAtWork(shop);
    child.kill("SIGKILL");
    await ended;
    const { stdout, code } = shop.pawl("recover");
    const [, run] = /--answer interrupted-session:(r-[0-9a-f]{8})=R/.exec(stdout) ?? [];
    return { shop, stdout, code, run: run ?? "none" };
  }
  const sessions = (shop: RunShop) =>
    shop.query("select status from sessions").map(({ status }) => String(status));

  it("is one question, and one answer resumes all of it", async () => {
    const { shop, stdout, code, run } = await killed();
    expect(code).toBe(5);
    expect(stdout).toMatch(/1 finding, 1 decision left\.\n$/);
    expect(stdout.match(/--answer interrupted-session:r-[0-9a-f]{8}=[RAS]/g)).toHaveLength(3);
    expect(stdout).toContain("One answer for all 3 workers of this run.");
    shop.script({});
    const answered = shop.json("recover", "--answer", `interrupted-session:${run}=R`).data;
    expect(answered.repaired).toMatchObject([{ repair: "resume", done: true, outcome: "all completed" }]);
    expect(answered.open).toEqual([]);
    expect(sessions(shop)).toEqual(["completed", "completed", "completed"]);
  });

  it("can be abandoned as a whole, or one worker of it alone", async () => {
    const { shop, run } = await killed();
    const [first] = shop.json("recover", "--dry-run").data.open as { readonly subject: string }[];
    const abandonedBy = (subject: string) => {
      const { repaired, open } = shop.json("recover", "--answer", `interrupted-session:${subject}=A`).data;
      const names = (repaired as { readonly repair: string; readonly subject: string }[])
        .filter(({ repair }) => repair === "abandon")
        .map((one) => one.subject);
      return { names, open: (open as readonly unknown[]).length };
    };
    expect(abandonedBy(first!.subject)).toEqual({ names: [first!.subject], open: 2 });
    expect(abandonedBy(run)).toMatchObject({ names: { length: 2 }, open: 0 });
    expect(sessions(shop)).toEqual(["abandoned", "abandoned", "abandoned"]);
  });

  it("is asked about once at a terminal", async () => {
    const { shop } = await killed();
    const terminal = atTerminal({ cwd: shop.repo.path, env: shop.env }, "recover");
    await terminal.sees("One answer for all 3 workers of this run.");
    await terminal.sees("[R]/[A]/[S]");
    terminal.press("A");
    expect(await terminal.ended).toBe(0);
    expect(terminal.shown().match(/\[R\]\/\[A\]\/\[S\]/g)).toHaveLength(1);
    expect(sessions(shop)).toEqual(["abandoned", "abandoned", "abandoned"]);
  });
});
