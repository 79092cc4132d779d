import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { raw } from "../../test/conformance/store.ts";
import { type EmbeddedWorld, embeddedWorld } from "../../test/support/embedded-world.ts";
import { report } from "./report.ts";

let world: EmbeddedWorld;
let session: string | undefined;

beforeEach(async () => {
  world = await embeddedWorld();
  session = undefined;
});
afterEach(() => world.close());

const HOUR_MS = 3_600_000;

/** Instants on the day of the test's clock, which stands at 12:00. */
const at = (time: string): string => `2026-11-15T${time}:00.000Z`;

/** A step that a commit proved then, behind the back of every verb. */
const complete = (plan: string, anchor: string, from: string, to: string): Promise<void> =>
  world.set(
    plan,
    anchor,
    `status = 'completed', last_event = 'proved', commit_hash = 'abc', started_at = '${from}', completed_at = '${to}'`,
  );

const attempt = (plan: string, number: number, started: string): Promise<void> =>
  world.run(
    "insert into attempts (plan_path, anchor, number, started_at) values (:plan, 'step-1', :number, :started)",
    { plan, number, started },
  );

const command = async (plan: string, number: number, from: string, to: string): Promise<void> => {
  session ??= (await world.pawl.openSession({ worktree: "/w" })).id;
  const row = { session, plan, number, from, to };
  await world.run(
    `insert into checkpoints (session_id, number, plan_path, anchor, iteration, position, command, type, started_at, ended_at, outcome)
     values (:session, :number, :plan, 'step-1', 1, 1, 'implement', 'implement_spec', :from, :to, 'completed')`,
    row,
  );
  await world.run(
    `insert into usage (session_id, number, plan_path, anchor, input_tokens, output_tokens, cost_micros, recorded_at)
     values (:session, :number, :plan, 'step-1', 10, 5, 500000, :to)`,
    { session, plan, number, to },
  );
};

describe("the report", () => {
  it("counts what happened since then, and nothing from before", async () => {
    const plan = await world.saved({ number: "1" }, { number: "2" }, { number: "3" });
    await complete(plan, "step-1", at("09:00"), at("09:30"));
    await complete(plan, "step-2", at("11:10"), at("11:40"));
    for (const [number, started] of [at("09:01"), at("09:10"), at("11:20"), at("11:30")].entries())
      await attempt(plan, number + 1, started);
    await command(plan, 1, at("09:00"), at("09:30"));
    // Begun before the hour that is asked for: only the part inside of it counts.
    await command(plan, 2, at("10:50"), at("11:20"));
    const answer = await report(world.ports, { sinceMs: HOUR_MS });
    expect(answer).toMatchObject({
      since: at("11:00"),
      until: at("12:00"),
      stepsDone: 1,
      stepsBlocked: 0,
      retries: 2,
      agentMs: 20 * 60_000,
      usage: { costUsd: 0.5 },
    });
    expect(answer.plans).toMatchObject([
      {
        planPath: plan,
        stepsTotal: 3,
        stepsCompleted: 2,
        done: [{ anchor: "step-2", commit: "abc", durationMs: 30 * 60_000 }],
      },
    ]);
    expect(await report(world.ports, {})).toMatchObject({ stepsDone: 2, retries: 3, usage: { costUsd: 1 } });
  });

  it("shows blocked steps with their evidence, attempt, log and a command, however old", async () => {
    const plan = await world.saved({ number: "1" }, { number: "2" });
    await world.saved({ number: "1" });
    await world.set(
      plan,
      "step-1",
      "status = 'blocked', last_event = 'blocked', block_reason = 'verification_exhausted', block_note = '3 attempts failed'",
    );
    const evidence = [
      { checked: "npm test", outcome: "failed", exitCode: 1, output: "1 of 3 failed", log: "/l/1.log" },
    ];
    await attempt(plan, 3, at("00:50"));
    await world.run(
      `insert into verdicts (plan_path, anchor, attempt, outcome, because, evidence, recorded_at)
       values (:plan, 'step-1', 3, 'failed', 'npm test failed', :evidence, :at)`,
      { plan, evidence: JSON.stringify(evidence), at: at("01:00") },
    );
    const { stepsBlocked, plans } = await report(world.ports, { sinceMs: HOUR_MS });
    expect(stepsBlocked).toBe(1);
    expect(plans[0]!.blocked).toMatchObject([
      {
        anchor: "step-1",
        reason: "verification_exhausted",
        failure: { lines: ["1 of 3 failed"], attempt: 3, log: "/l/1.log" },
        command: `pawl explain ${plan} step-1`,
      },
    ]);
    expect(plans[1]).toMatchObject({ stepsDone: 0, stepsBlocked: 0, agentMs: 0 });
  });

  it("writes nothing", async () => {
    await world.saved({ number: "1" });
    const rows = () =>
      world.database.read((sql) =>
        sql.all(
          raw<{ n: number }>("select count(*) as n from events union all select count(*) from sessions"),
          {},
        ),
      );
    const before = await rows();
    await report(world.ports, {});
    expect(await rows()).toEqual(before);
  });
});
