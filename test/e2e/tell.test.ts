import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Acts, GOOD, type RunShop, runShop } from "../support/run-shop.ts";
import { SCRIPTED_AGENT } from "../support/supervised.ts";
import { until } from "../support/until.ts";

/** Agents take long to start where many tests run. */
const LONG_MS = 60_000;

/** Messages to agents, the last words of agents, and what one step leaves for the next. */

const TALKING = [
  'agent = "talks"',
  "[agents.talks]",
  'preset = "claude"',
  `program = ${JSON.stringify([process.execPath, SCRIPTED_AGENT])}`,
  "",
].join("\n");

const TWO = [
  { number: "1", tasks: ["dig"] },
  { number: "2", tasks: ["build"], dependsOn: ["step-1"] },
];

function prompts(shop: RunShop, step: string): readonly string[] {
  const found: string[] = [];
  for (let number = 1; existsSync(shop.path(`script.json.${step}.${number}.json`)); number += 1) {
    const text = readFileSync(shop.path(`script.json.${step}.${number}.json`), "utf8");
    found.push((JSON.parse(text) as { prompt: string }).prompt);
  }
  return found;
}

const journal = (shop: RunShop) =>
  shop
    .query("select event, anchor, detail from events where event like 'message-%' order by id")
    .map(({ event, anchor, detail }) => [
      event,
      anchor,
      (JSON.parse(String(detail)) as { message: number }).message,
    ]);

const WAITING: Acts = [{ write: "../../../../begun" }, { waitFor: "../../../../go" }, ...GOOD];

describe("pawl tell", () => {
  it("reaches the conversation of an agent that works, before its work is judged, once", async () => {
    const shop = runShop(TWO, TALKING);
    shop.script({
      speak: "claude",
      steps: { "step-1": [WAITING, [{ say: "Understood." }]], "step-2": [GOOD] },
    });
    const run = shop.start("run", "plan.md");
    await until(() => existsSync(shop.path("begun")), undefined, LONG_MS);
    const told = shop.json("tell", "step-1", "Leave the old format alone.");
    expect(told.data).toMatchObject({ anchor: "step-1", message: 1, delivery: "conversation" });
    shop.repo.write("../go", "");
    expect((await run.ended).code).toBe(0);
    const [first, second, ...more] = prompts(shop, "step-1");
    expect(first).not.toContain("old format");
    expect(second).toContain("Leave the old format alone.");
    expect(second).not.toContain("## How to work");
    expect(more).toEqual([]);
    expect(journal(shop)).toEqual([
      ["message-sent", "step-1", 1],
      ["message-delivered", "step-1", 1],
    ]);
    expect(prompts(shop, "step-2")[0]).not.toContain("old format");
  });

  it("waits for the next start where no agent works or it takes no message; killed in between, none is lost", async () => {
    const shop = runShop(TWO, TALKING);
    shop.script({
      speak: "claude",
      steps: { "step-1": [[{ write: "../../../../begun" }, { hang: true }], GOOD] },
    });
    shop.pawl("state", "init", "plan.md");
    expect(shop.json("tell", "step-1", "Dig deep.").data).toMatchObject({ delivery: "next_start" });
    expect(shop.json("tell", "step-2", "Build high.", "--request-id", "r1").data.message).toBe(1);
    expect(shop.json("tell", "step-2", "Build high.", "--request-id", "r1").data.message).toBe(1);
    const run = shop.start("run", "plan.md");
    await until(() => journal(shop).some(([event]) => event === "message-delivered"), undefined, LONG_MS);
    run.child.kill("SIGKILL");
    await run.ended;
    expect((await shop.start("resume").ended).code).toBe(0);
    const seen = prompts(shop, "step-1");
    // The agent had said something before the kill, so it had its prompt.
    expect(seen.map((prompt) => prompt.includes("Dig deep."))).toEqual([true, false]);
    expect(prompts(shop, "step-2")[0]).toContain("Build high.");
    expect(journal(shop).filter(([event]) => event === "message-delivered")).toEqual([
      ["message-delivered", "step-1", 1],
      ["message-delivered", "step-2", 1],
    ]);
  });

  it("refuses what no agent will read, and says what to do", () => {
    const shop = runShop(TWO);
    shop.pawl("state", "init", "plan.md");
    expect(shop.json("tell", "step-9", "x")).toMatchObject({ status: "error" });
    expect(shop.json("tell", "step-1", " ").issues[0]).toMatchObject({ code: "E490" });
  });
});

describe("what an agent says last", () => {
  it("is shown wherever its step is blocked, and handed to the steps that build on it", async () => {
    const shop = runShop(TWO);
    const asks: Acts = [{ write: "a.txt" }, { say: "Should the hole be round or square?" }];
    shop.script({ steps: { "step-1": [asks, asks, asks, GOOD], "step-2": [GOOD] } });
    const { code, stdout } = await shop.run();
    expect(code).toBe(5);
    expect(stdout).toContain("| Should the hole be round or square?");
    expect(shop.json("explain", "plan.md", "step-1").data.steps[0].said.join("\n")).toContain(
      "round or square?",
    );
    expect(shop.pawl("explain", "plan.md", "step-1").stdout).toContain(
      "| Should the hole be round or square?",
    );
    expect(shop.pawl("status").stdout).toContain("| Should the hole be round or square?");
    expect(shop.json("status").data.stopped[0].said.join("\n")).toContain("round or square?");
    shop.pawl("state", "retry", "plan.md", "step-1");
    shop.script({
      steps: {
        "step-1": [asks, asks, asks, [...GOOD, { say: "I made it round." }]],
        "step-2": [GOOD],
      },
    });
    expect((await shop.run()).code).toBe(0);
    expect(prompts(shop, "step-1").at(-1)).toContain("Should the hole be round or square?");
    const [next] = prompts(shop, "step-2");
    expect(next).toMatch(
      /## Notes from earlier steps\n\nFrom step-1, closing message:\n\n```markdown\n[^]*I made it round\./,
    );
  });
});
