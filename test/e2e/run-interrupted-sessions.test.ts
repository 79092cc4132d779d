import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { compose } from "../../src/compose.ts";
import { resumeCommandLine } from "../../src/domain/session-name.ts";
import { pawlOn } from "../../src/api.ts";
import type { Interruption, StopSignal } from "../../src/platform/ports/interruption.ts";
import { cleanEnv } from "../support/repository.ts";
import { AGENT, GOOD, runShop, untilThere, untilWritten } from "../support/run-shop.ts";
import { until } from "../support/until.ts";

/** What is left of a run whose workers did not all end alike. */

/** A signal that the test sends, to a run in its own process. */
function signalled(): Interruption & { readonly send: () => void } {
  const listeners = new Set<() => void>();
  let signal: StopSignal | undefined;
  return {
    signal: () => signal,
    beforeLeaving: () => () => undefined,
    listen(heard) {
      listeners.add(heard);
      return () => void listeners.delete(heard);
    },
    send() {
      signal = "SIGINT";
      for (const heard of listeners) heard();
    },
  };
}

describe("a run that is interrupted after its first worker ended in order", () => {
  it("names a session that can be resumed", async () => {
    const shop = runShop();
    const half = [{ write: "half.txt" }, { hang: true }];
    shop.script({ steps: { "step-1": [half, GOOD] } });
    const ports = await compose({ cwd: shop.repo.path, env: cleanEnv(shop.env) });
    const second = { claims: () => undefined as void };
    const claimed = new Promise<void>((resolve) => (second.claims = resolve));
    let isFirst = true;
    const running = async () => {
      const all = await ports.running();
      return {
        ...all,
        // The first worker begins when the second has the one step that may be begun.
        async sleep(...asked: Parameters<typeof all.sleep>) {
          const waits = isFirst;
          isFirst = false;
          await (waits ? claimed : all.sleep(...asked));
        },
      };
    };
    const pawl = pawlOn({ ...ports, running });
    onTestFinished(() => pawl.close());
    const interruption = signalled();
    const ending = pawl.run({
      plan: "plan.md",
      workers: 2,
      maxSteps: 1,
      argv: AGENT.slice(1),
      interruption,
      onEvent: ({ event }) => event === "claimed" && second.claims(),
    });
    await untilWritten(join(shop.worktree(2), "half.txt"));
    const statuses = () => shop.query("select worktree, status from sessions order by worktree");
    await until(() => statuses()[0]!["status"] === "completed");
    interruption.send();
    const { ended, resumeWith, sessions } = await ending;
    expect([ended, resumeWith]).toEqual(["interrupted", resumeCommandLine(sessions[1]!)]);
    expect(shop.pawl(...resumeWith!.split(" ").slice(1))).toMatchObject({ code: 0 });
    expect(shop.steps()[0]).toBe("step-1 completed");
  });
});

describe("a run that is interrupted in a worktree that was made anew for it", () => {
  it("files the snapshot under the worktree that holds the files", async () => {
    const shop = runShop();
    await shop.run("--max-steps", "1");
    writeFileSync(join(shop.worktree(), "left.txt"), "of no step\n");
    shop.script({ steps: { "step-2": [[{ write: "half.txt" }, { hang: true }]] } });
    const { child, ended } = shop.start("run", "plan.md", ...AGENT);
    await untilWritten(join(shop.worktree(), "half.txt"));
    child.kill("SIGINT");
    await ended;
    const [session] = shop.query(
      "select worktree_id, snapshot_ref from sessions where status = 'interrupted'",
    );
    const { data } = shop.json("snapshot", "list");
    const taken = data.snapshots.find(({ ref }: { ref: string }) => ref === session!["snapshot_ref"]);
    expect(taken).toMatchObject({ worktree_id: session!["worktree_id"] });
  });
});

describe("set-up commands of several workers", () => {
  it("run side by side, and another run begins meanwhile", async () => {
    const all = '[ "$(ls ../../../../begun-* | wc -l)" -ge 2 ]';
    // Or until the test is over: what it leaves behind ends by itself.
    const wait = (what: string) => `until ${what} || [ ! -e ../../../../script.json ]; do sleep 0.05; done`;
    const setUp = `case "$PWD" in *-w3) exit 0;; esac; : > ../../../../begun-$(basename "$PWD"); ${wait(all)}; ${wait("[ -e ../../../../go ]")}`;
    const steps = ["1", "2", "3"].map((number) => ({ number, tasks: ["dig"] }));
    const shop = runShop(steps, `worktree_setup = ["sh", "-c", ${JSON.stringify(setUp)}]\n`);
    const { ended } = shop.start("run", "plan.md", "--workers", "2", ...AGENT);
    await untilThere(shop.path("begun-plan-w1"));
    await untilThere(shop.path("begun-plan-w2"));
    // Both are in their set-up: neither waits for the other, and a second run waits for none of them.
    expect(await shop.run("--max-steps", "1")).toMatchObject({ code: 0 });
    expect(shop.steps().filter((step) => step.endsWith(" completed"))).toHaveLength(1);
    writeFileSync(shop.path("go"), "");
    expect(await ended).toMatchObject({ code: 0 });
    expect(shop.steps().filter((step) => step.endsWith(" completed"))).toHaveLength(3);
  });
});
