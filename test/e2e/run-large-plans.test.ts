import { describe, expect, it, onTestFinished } from "vitest";
import { compose } from "../../src/compose.ts";
import type { RunEvent } from "../../src/runs/work/run-event.ts";
import { pawlOn } from "../../src/api.ts";
import type { Interruption, StopSignal } from "../../src/platform/ports/interruption.ts";
import type { StepSpec } from "../support/plans.ts";
import { cleanEnv } from "../support/repository.ts";
import { AGENT, runShop } from "../support/run-shop.ts";
import { until } from "../support/until.ts";

/** Plans with more open steps than are shown or counted: workers decide about all of them. */

const numbered = (count: number, more: (number: number) => Partial<StepSpec>): readonly StepSpec[] =>
  Array.from({ length: count }, (_, index) => ({ number: String(index + 1), ...more(index + 1) }));

describe("a plan with more than a thousand open steps", () => {
  it("gives a worker the one that is free behind them, and a signal ends its waiting", async () => {
    const free = 1005;
    const shop = runShop(
      numbered(free, (number) =>
        number === 1 || number === free ? { tasks: ["dig"] } : { dependsOn: ["step-1"] },
      ),
    );
    shop.json("state", "init", "plan.md");
    shop.json("state", "claim", "plan.md", "--worktree", ".", "--step", "step-1");
    const { child, ended } = shop.start("run", "plan.md", ...AGENT);
    await until(
      () =>
        shop.query(`select status from steps where anchor = 'step-${free}'`)[0]!["status"] === "completed",
    );
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ code: 130, signal: null });
    // Claimed once: nothing was claimed only to be given back.
    expect(shop.query(`select claim_seq from steps where anchor = 'step-${free}'`)).toEqual([
      { claim_seq: 1 },
    ]);
  });
});

describe("a plan whose first fifty open steps all wait for a later one", () => {
  const HELD = 52;
  const plan = numbered(HELD, (number) =>
    number === HELD ? { tasks: ["dig"] } : { dependsOn: [`step-${HELD}`] },
  );

  it("names the step in flight to a claim that gets nothing", () => {
    const shop = runShop(plan);
    shop.json("state", "init", "plan.md");
    shop.json("state", "claim", "plan.md", "--worktree", ".");
    const other = shop.repo.addWorktree("other");
    const { data } = shop.json("state", "claim", "plan.md", "--worktree", other);
    expect(data).toMatchObject({ claimed: false, total_remaining: HELD });
    expect(data.waiting).toHaveLength(51);
    expect(data.waiting.at(-1)).toMatchObject({ anchor: `step-${HELD}`, reason: "held" });
  });

  it("keeps its second worker waiting for it", async () => {
    const shop = runShop(plan);
    shop.script({ steps: { [`step-${HELD}`]: [[{ hang: true }]] } });
    const ports = await compose({ cwd: shop.repo.path, env: cleanEnv(shop.env) });
    const pawl = pawlOn(ports);
    onTestFinished(() => pawl.close());
    const listeners = new Set<() => void>();
    let signal: StopSignal | undefined;
    const interruption: Interruption = {
      signal: () => signal,
      beforeLeaving: () => () => undefined,
      listen(heard) {
        listeners.add(heard);
        return () => void listeners.delete(heard);
      },
    };
    const events: RunEvent[] = [];
    const onEvent = (event: RunEvent) => {
      events.push(event);
      const isAtWork = events.some((one) => one.event === "command");
      if (!isAtWork || !events.some((one) => one.event === "waiting")) return;
      signal = "SIGINT";
      for (const heard of listeners) heard();
    };
    const asked = { plan: "plan.md", workers: 2, argv: AGENT.slice(1), onEvent, interruption };
    const { ended } = await pawl.run(asked);
    expect(ended).toBe("interrupted");
    expect(events).toContainEqual(expect.objectContaining({ event: "waiting", for: [`step-${HELD}`] }));
  });
});
