import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { PAWL, pawlJson } from "../support/cli.ts";
import { runShop } from "../support/run-shop.ts";
import type { Row } from "../support/world.ts";
import { until } from "../support/until.ts";

const AGENT = fileURLToPath(new URL("programs/tricky-agent.mjs", import.meta.url));
const LIBRARY = new URL("../../dist/index.js", import.meta.url).href;

const OTHERS = ["plan.md", "step-2", "--worktree", "{other}", "--claim", "1"];
/** Everything that writes to a step, about the step of another agent. */
const CALLS = [
  ["state", "claim", "plan.md", "--worktree", "{other}"],
  ["state", "start", ...OTHERS],
  ["state", "heartbeat", ...OTHERS],
  ["state", "update", ...OTHERS, "--all", "completed"],
  ["state", "artifact", ...OTHERS, "--kind", "reviewer_verdict", "--summary", "looks good"],
  ["state", "complete", ...OTHERS],
  ["state", "release", ...OTHERS],
  ["commit", "--plan", "plan.md", "--step", "step-2", "--worktree", "{other}", "--claim", "1"],
];
/** What only people do. */
const OPERATORS = [
  ["commit", "--plan", "plan.md", "--step", "step-2", "--worktree", "{other}", "--unverified", "x"],
  ["state", "claim", "plan.md", "--worktree", "{other}", "--force"],
  ["state", "complete", ...OTHERS, "--force", "x"],
  ["state", "release", "plan.md", "step-2", "--force"],
  ["state", "reset", "plan.md", "step-2"],
  ["state", "hold", "plan.md", "step-3"],
  ["state", "reopen", "plan.md", "step-2", "--reason", "x"],
  ["verify", "plan.md", "step-2"],
];

/** One of each kind of refusal. */
const FEW = [CALLS[3]!, CALLS[7]!, OPERATORS[0]!, OPERATORS[4]!];

const THREE = [
  { number: "1", tasks: ["dig"] },
  { number: "2", tasks: ["build"] },
  { number: "3", tasks: ["paint"], dependsOn: ["step-1", "step-2"] },
];

interface Answer {
  readonly what: string;
  readonly code: number;
  readonly text: string;
}

const REFUSED = /E049|E077|E264|E397|E398/;
/** Another state folder has no database, and this repository shows that there was one. */
const isAway = (what: string, text: string): boolean =>
  what.includes("another database") && text.includes("E083");

// proves G-agents-keep-to-their-step
it("an agent changes no other step and does nothing that is for people, whatever it hides", async () => {
  const shop = runShop(THREE, undefined, {});
  const tricks = shop.path("tricks");
  writeFileSync(
    tricks,
    JSON.stringify({
      pawl: PAWL,
      library: LIBRARY,
      main: shop.repo.path,
      calls: CALLS,
      operators: OPERATORS,
      few: FEW,
    }),
  );
  const agent = ["--", "env", `TRICKS=${tricks}`, process.execPath, AGENT];
  const run = shop.start("run", "plan.md", "--workers", "2", "--max-steps", "2", ...agent);
  await until(() => ["step-1", "step-2"].every((step) => existsSync(`${tricks}.${step}`)));
  const rows = () => [
    shop.query("select anchor, status, session_id, claim_seq, started_at, completed_at from steps"),
    shop.query("select step_anchor, ordinal, status from checklist_items order by id"),
    shop.query("select kind from step_artifacts where step_anchor = 'step-2'"),
    shop.repo.git("rev-parse", "pawl/plan"),
  ];
  await until(() => shop.query("select 1 from checkpoints where process like '%\"pid\":-1%'").length === 0);
  const before = rows();
  const [other] = shop.query("select session_id, claimed_by from steps where anchor = 'step-2'") as [Row];
  writeFileSync(
    `${tricks}.tmp`,
    JSON.stringify({ worktree: other["claimed_by"], session: other["session_id"] }),
  );
  renameSync(`${tricks}.tmp`, `${tricks}.go`);
  await until(() => existsSync(`${tricks}.answers`), "the agent has tried everything", 100_000);
  const answers = JSON.parse(readFileSync(`${tricks}.answers`, "utf8")) as Answer[];
  const own = answers.pop()!;
  const wrong = answers.filter(
    ({ code, text, what }) =>
      !isAway(what, text) &&
      (code !== 4 || (text !== "" && !REFUSED.test(text)) || (text === "" && !what.includes("output"))),
  );
  expect(wrong).toEqual([]);
  expect(answers.length).toBeGreaterThan(60);
  expect(own).toMatchObject({ code: 0 });
  expect(rows()).toEqual(before);

  // A person in another terminal is not the agent; one in the agent's own folder learns how to be recognised.
  const person = (cwd: string) =>
    pawlJson({ cwd }, "state", "hold", "plan.md", "step-3", "--reason", "a person");
  const inside = person(String(other["claimed_by"]));
  expect(inside).toMatchObject({ code: 4, issues: [{ code: "E397" }] });
  expect(inside.issues[0]!.hint).toContain("from another folder");
  expect(person(shop.repo.path)).toMatchObject({ code: 0, data: { status: "on_hold" } });

  writeFileSync(`${tricks}.done`, "");
  expect((await run.ended).code).toBe(0);
  expect(shop.steps()).toEqual(["step-1 completed", "step-2 completed", "step-3 on_hold"]);
  const retry = pawlJson({ cwd: String(other["claimed_by"]) }, "state", "retry", "plan.md", "step-3");
  expect(retry, "no agent runs there any more").toMatchObject({ code: 0 });
});
