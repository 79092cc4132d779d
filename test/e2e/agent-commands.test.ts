import { expect, it } from "vitest";
import { AGENT_COMMANDS, type AgentCommandName } from "../../src/cli/agent-commands.ts";
import { pawl, pawlJson } from "../support/cli.ts";
import { mcpClient } from "../support/mcp-client.ts";
import { planText } from "../support/plans.ts";
import { query, withDatabase } from "../support/world.ts";
import { PLAN, workshop } from "../support/workshop.ts";

const STEP = [PLAN, "step-1"] as const;

/** How each is called; a verb that is new in the table needs a line here. */
const CALLS: Readonly<Record<AgentCommandName, readonly string[]>> = {
  "state claim": [PLAN],
  "state start": STEP,
  "state heartbeat": STEP,
  "state update": [...STEP, "--task", "1", "completed"],
  "state artifact": [...STEP, "--kind", "architect_strategy", "--summary", "by hand"],
  commit: ["--plan", PLAN, "--step", "step-1", "--message", "by the agent"],
  "state complete": STEP,
  "state release": STEP,
  explain: STEP,
};

it("are refused to the agents of a run, or listed to them, by one table", async () => {
  const shop = workshop(planText([{ number: "1", tasks: ["dig"] }]));
  const { call } = await mcpClient({ cwd: shop.home });
  await call("pawl_claim", { plan: PLAN });
  withDatabase(shop.database, (database) => database.exec("update sessions set kind = 'run'"));
  const [{ id }] = query(shop.database, "select id from sessions") as [{ id: string }];
  const env = { PAWL_SESSION: id, PAWL_WORKTREE: shop.home, PAWL_CLAIM: "1", PAWL_PLAN: PLAN };
  const printed = pawl({ cwd: shop.home, env }, "prime").stdout;
  for (const [name, { inRun, listed: isListed }] of Object.entries(AGENT_COMMANDS)) {
    const args = CALLS[name as AgentCommandName];
    const { issues } = pawlJson({ cwd: shop.home, env }, ...name.split(" "), ...args);
    const isRefused = issues.some(({ code }) => code === "E264");
    expect({ name, isRefused }).toEqual({ name, isRefused: !inRun });
    expect({ name, listed: printed.includes(`pawl ${name} `) }).toEqual({ name, listed: isListed && inRun });
  }
  const event = JSON.stringify({ cwd: shop.home, source: "startup" });
  const hooked = pawl({ cwd: shop.home, env, input: event }, "hook", "session-start").stdout;
  expect(hooked).toContain("pawl state update");
  expect(hooked).not.toContain("pawl commit");
  expect(pawl({ cwd: shop.home }, "prime").stdout).toContain("pawl commit --plan plan.md --step step-1");
});
