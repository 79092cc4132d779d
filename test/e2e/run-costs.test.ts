import { symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { lastJson, pawlAsync, type Run } from "../support/cli.ts";
import { type Acts, GOOD, type RunShop, runShop, THREE } from "../support/run-shop.ts";
import { SCRIPTED_AGENT } from "../support/supervised.ts";

/** What agents use, from their output to everything that shows it. */

const agent = (name: string, path: string, more = "") =>
  `[agents.${name}]\npreset = "${name}"\nprogram = ${JSON.stringify([process.execPath, path])}\n${more}`;

/** A shop in which the scripted agent speaks as each of these, by the name that it is started under. */
function costShop(
  settings: (path: (name: string) => string) => string,
  steps: Readonly<Record<string, readonly Acts[]>> = {},
  plan: Parameters<typeof runShop>[0] = THREE,
): RunShop {
  const shop = runShop(plan);
  for (const name of ["claude", "codex"]) symlinkSync(SCRIPTED_AGENT, shop.path(name));
  writeFileSync(shop.path("script.json"), JSON.stringify({ runs: [GOOD], steps }));
  shop.repo.write("pawl.toml", settings(shop.path));
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-q", "-m", "settings");
  return shop;
}

const run = (shop: RunShop, ...options: readonly string[]) =>
  pawlAsync({ cwd: shop.repo.path, env: shop.env }, "run", "plan.md", ...options);

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into every shape
const answerOf = (ended: Run): any => lastJson(ended).data;

const CHECK = '[verify]\ncommand = ["test", "!", "-e", "bad.txt"]\n';

describe("what agents use", () => {
  it("is the same total in the summary, state show, sessions show, status and their JSON", async () => {
    const shop = costShop((path) => `agent = "claude"\n${agent("claude", path("claude"))}${CHECK}`, {
      // Its first attempt does not pass and costs as much as the second.
      "step-2": [
        [{ write: "bad.txt" }, { tick: "all" }],
        [{ remove: "bad.txt" }, ...GOOD],
      ],
    });
    const ended = await run(shop, "--json");
    const answer = answerOf(ended);
    expect(answer.ended).toBe("all_completed");
    const total = { input_tokens: 40, output_tokens: 20, cost_usd: 0.04, unpriced_tokens: 0 };
    expect(answer.usage).toEqual(total);
    expect(answer.completed.map((step: { usage: { cost_usd: number } }) => step.usage.cost_usd)).toEqual([
      0.01, 0.02, 0.01,
    ]);
    const { plan } = shop.json("state", "show", "plan.md").data;
    expect(plan.usage).toEqual(total);
    expect(plan.steps[1].usage).toEqual({ ...total, input_tokens: 20, output_tokens: 10, cost_usd: 0.02 });
    const { session } = shop.json("sessions", "show", answer.sessions[0]).data;
    expect(session.usage).toEqual(total);
    const spent = session.checkpoints.map((one: { usage: { cost_usd: number } | null }) => one.usage);
    expect(spent.filter((one: unknown) => one !== null)).toHaveLength(4);
    const status = shop.json("status").data;
    expect(status.plans[0].usage).toEqual(total);
    for (const command of [
      ["state", "show", "plan.md"],
      ["sessions", "show", answer.sessions[0]],
      ["status"],
    ])
      expect(shop.pawl(...command).stdout).toContain("$0.04 (40 tokens in, 20 out)");
    expect(
      shop.query("select anchor, attempt, cost_micros from usage order by number").map((row) => ({ ...row })),
    ).toEqual([
      { anchor: "step-1", attempt: 1, cost_micros: 10_000 },
      { anchor: "step-2", attempt: 1, cost_micros: 10_000 },
      { anchor: "step-2", attempt: 2, cost_micros: 10_000 },
      { anchor: "step-3", attempt: 1, cost_micros: 10_000 },
    ]);
    // What was spent stays known when the sessions are cleaned away.
    shop.pawl("sessions", "clean", "--all", "--yes");
    expect(shop.json("state", "show", "plan.md").data.plan.usage).toEqual(total);
  });

  it.each([
    ["claude", { input_tokens: 40, output_tokens: 20, cost_usd: 0.04, unpriced_tokens: 0 }],
    ["codex", { input_tokens: 40, output_tokens: 20, cost_usd: null, unpriced_tokens: 60 }],
  ])("counts a conversation of %s once that was resumed and reports a total", async (name, total) => {
    const shop = costShop((path) => `agent = "${name}"\n${agent(name, path(name))}`, {
      // The item is forgotten, and ticked in the same conversation.
      "step-2": [[{ write: "work/{step}.txt" }], [{ tick: "all" }]],
    });
    expect(answerOf(await run(shop, "--json"))).toMatchObject({ ended: "all_completed", usage: total });
    expect(shop.json("state", "show", "plan.md").data.plan.usage).toEqual(total);
  });

  it("has the configured price where the agent reports none, and else only tokens", async () => {
    const priced = (price: string) =>
      costShop((path) => `agent = "codex"\n${agent("codex", path("codex"), price)}`);
    const shop = priced("price = { input = 1250.5, output = 10_000 }\n");
    const answer = answerOf(await run(shop, "--json"));
    // 3 × (10 × 1250.5 + 5 × 10000) millionths of a dollar.
    expect(answer.usage).toEqual({
      input_tokens: 30,
      output_tokens: 15,
      cost_usd: 0.187515,
      unpriced_tokens: 0,
    });
    const free = priced("");
    const ended = await run(free);
    expect(ended.stdout).toContain("used     30 tokens in, 15 out");
    expect(free.json("status").data.plans[0].usage).toEqual({
      input_tokens: 30,
      output_tokens: 15,
      cost_usd: null,
      unpriced_tokens: 45,
    });
  });

  it.each([
    ["price = { input = -1, output = 2 }", "agents.codex.price: must be { input"],
    ["price = { input = 1 }", "agents.codex.price: must be { input"],
    ['price = "cheap"', "agents.codex.price: must be { input"],
    ["price = { input = inf, output = 1 }", "agents.codex.price: must be { input"],
  ])("refuses %s before anything starts", async (price, message) => {
    const shop = costShop((path) => `agent = "codex"\n${agent("codex", path("codex"), price)}\n`);
    const ended = await run(shop);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(message);
    expect(shop.starts("step-1")).toBe(0);
  });
});
