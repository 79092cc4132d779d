import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { lastJson } from "../support/cli.ts";
import { type Acts, GOOD, type RunShop, runShop, untilThere } from "../support/run-shop.ts";
import { SCRIPTED_AGENT } from "../support/supervised.ts";

/** What an agent gets to read, in which conversation, and what becomes of what it forgot. */

/** An agent whose conversations can be taken up again. */
const TALKING = [
  'agent = "talks"',
  "[agents.talks]",
  'preset = "claude"',
  `program = ${JSON.stringify([process.execPath, SCRIPTED_AGENT])}`,
  "",
].join("\n");

const ONE = [{ number: "1", tasks: ["dig", "level"] }];

interface Start {
  readonly argv: readonly string[];
  readonly prompt: string;
}

/** What the agent was started with, in order. */
function starts(shop: RunShop, step = "step-1"): readonly Start[] {
  const found: Start[] = [];
  for (let number = 1; existsSync(shop.path(`script.json.${step}.${number}.json`)); number += 1)
    found.push(JSON.parse(readFileSync(shop.path(`script.json.${step}.${number}.json`), "utf8")) as Start);
  return found;
}

const talk = (acts: readonly Acts[], settings = TALKING, steps = ONE): RunShop => {
  const shop = runShop(steps, settings);
  shop.script({ speak: "claude", runs: acts });
  return shop;
};

const conversation = ({ argv }: Start) =>
  argv[argv.findIndex((word) => word === "--session-id" || word === "--resume") + 1];

const WORK: Acts = [{ write: "work/{step}.txt" }, { say: "I have dug." }];

describe("an agent that forgets to tick", () => {
  it("is asked for the open items in its conversation, and no attempt is counted", async () => {
    const shop = talk([WORK, [{ tick: "all" }]]);
    const { code, stdout } = await shop.start("run", "plan.md").ended;
    expect({ code, stdout }).toMatchObject({ code: 0 });
    const [first, second, ...more] = starts(shop);
    expect(more).toEqual([]);
    expect(second!.argv).toContain("--resume");
    expect(conversation(second!)).toBe(conversation(first!));
    expect(second!.prompt).toMatch(/2 items of the step are not ticked/);
    expect(second!.prompt).toContain("`pawl state update plan.md step-1 --task 2 completed`");
    expect(second!.prompt).not.toContain("## How to work");
    expect(shop.query("select outcome from verdicts")).toEqual([{ outcome: "passed" }]);
  });

  it("is never asked in a fresh conversation, also when it does not listen", async () => {
    const shop = talk([WORK]);
    const { code } = await shop.start("run", "plan.md").ended;
    expect(code).toBe(5);
    const all = starts(shop);
    expect(new Set(all.map(conversation)).size).toBe(1);
    // Three attempts, each with one reminder; nothing that was said before is said again.
    expect(all).toHaveLength(6);
    for (const { prompt } of all.slice(1)) expect(prompt.length).toBeLessThan(1000);
    expect(shop.query("select verification_attempts as n from steps")).toEqual([{ n: 3 }]);
  });

  it("that is killed while it is reminded is reminded again after resume", async () => {
    const shop = talk([WORK, [{ write: "../../../../reminded" }, { hang: true }], [{ tick: "all" }]]);
    const first = shop.start("run", "plan.md");
    await untilThere(shop.path("reminded"));
    first.child.kill("SIGKILL");
    await first.ended;
    const { code, stdout } = await shop.start("resume").ended;
    expect({ code, stdout }).toMatchObject({ code: 0 });
    const all = starts(shop);
    expect(new Set(all.map(conversation)).size).toBe(1);
    expect(all.at(-1)!.prompt).toContain("--task 1 completed`");
    expect(shop.query("select outcome from verdicts")).toEqual([{ outcome: "passed" }]);
  });
});

describe("the hook that asks a run's agent at its end", () => {
  it("names what is not ticked with its command, once, and says nothing when all is ticked", async () => {
    const hook = (name: string, id: string) => ({
      sh: `echo '{"session_id":"${id}"}' | pawl hook stop > ../../../../${name}.json`,
    });
    const shop = talk([
      [
        { write: "work/{step}.txt" },
        hook("first", "a"),
        hook("again", "a"),
        { tick: "all" },
        hook("ticked", "b"),
      ],
    ]);
    const { code, stdout } = await shop.start("run", "plan.md").ended;
    expect({ code, stdout }).toMatchObject({ code: 0 });
    const said = (name: string) => readFileSync(shop.path(`${name}.json`), "utf8");
    const first = JSON.parse(said("first")) as { decision: string; reason: string };
    expect(first.decision).toBe("block");
    expect(first.reason).toMatch(/^2 items of step-1 are not ticked\./);
    expect(first.reason).toContain("\n  pawl state update plan.md step-1 --task 2 completed");
    expect([said("again"), said("ticked")]).toEqual(["", ""]);
    expect(starts(shop)[0]!.argv.join(" ")).toContain("pawl hook stop || true");
  });
});

describe("what an agent was refused and asked", () => {
  it("is in its next prompt, and wherever its blocked step is shown", async () => {
    const shop = runShop([{ number: "1", tasks: ["dig"] }]);
    const refused = "write /etc/ports";
    shop.script({
      runs: [[{ say: "sh: 1: /etc/ports: Read-only file system" }, { say: "Which port do you want?" }]],
    });
    const run = await shop.run("--json");
    const answer = lastJson(run).data;
    expect(answer["blocked"]).toMatchObject([{ anchor: "step-1", refused: [refused] }]);
    expect(answer["blocked"][0].said.join("\n")).toContain("Which port do you want?");
    const [first, second] = starts(shop);
    expect(first!.prompt).not.toContain("refused");
    expect(second!.prompt).toContain(`## Refused to earlier attempts`);
    expect(second!.prompt).toContain(`- \`${refused}\``);
    expect(second!.prompt).toContain("Which port do you want?");
    const places = {
      explain: shop.json("explain", "plan.md", "step-1").data.steps[0],
      stopped: shop.json("status").data.stopped[0],
      status: shop.json("status").data.findings[0],
      recover: shop.json("recover", "plan.md", "--dry-run").data.findings[0],
    };
    for (const [name, place] of Object.entries(places)) {
      expect(place.refused, name).toEqual([refused]);
      expect(place.said.join("\n"), name).toContain("Which port do you want?");
    }
    for (const args of [["explain", "plan.md", "step-1"], ["status"], ["recover", "plan.md", "--dry-run"]]) {
      const { stdout } = shop.pawl(...args);
      expect(stdout, args[0]).toContain(`refused: ${refused}`);
      expect(stdout, args[0]).toContain("| Which port do you want?");
    }
  });
});

describe("an agent that ticks the boxes of its worktree's plan", () => {
  // One file before the plan in the order of their names, and one behind it.
  const TICKED: Acts = [
    { write: "a/{step}.txt" },
    { write: "work/{step}.txt" },
    { sh: "sed -i 's/\\[ \\]/[x]/' plan.md" },
  ];

  it("has ticked the items; its copy is put back, and what it was is kept", async () => {
    const shop = runShop([...ONE, { number: "2", tasks: ["paint"], dependsOn: ["step-1"] }]);
    shop.script({ steps: { "step-1": [TICKED], "step-2": [GOOD] } });
    const { code, stdout, stderr } = await shop.run();
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stderr).toContain("2 items were ticked in the worktree's copy of plan.md");
    expect(shop.commits()).toEqual(["step-1", "step-2"]);
    expect(shop.starts("step-1")).toBe(1);
    expect(shop.repo.git("diff", "--name-only", "main", "pawl/plan").split("\n")).not.toContain("plan.md");
    const [kept] = shop.repo.git("for-each-ref", "--format=%(refname)", "refs/pawl/snapshots").split("\n");
    expect(shop.repo.git("show", `${kept}:plan.md`)).toContain("- [x] dig");
    // A box of another step says nothing about that step.
    expect(shop.starts("step-2")).toBe(1);
  });

  it("keeps what else it changed there, and commits of its own", async () => {
    const shop = runShop(ONE);
    const acts: Acts = [
      { sh: "sed -i 's/\\[ \\] dig/[x] dig/' plan.md; echo more >> plan.md" },
      { sh: "sed -i 's/\\[ \\] level/[x] level/' plan.md" },
      { git: ["commit", "-qam", "mine"] },
    ];
    shop.script({ runs: [acts] });
    const { code, stdout } = await shop.run();
    expect({ code, stdout }).toMatchObject({ code: 0 });
    const text = shop.repo.git("show", "pawl/plan:plan.md");
    expect(text).toContain("- [ ] dig\n- [ ] level");
    expect(text).toContain("more");
    expect(shop.commits()).toEqual(["step-1"]);
    expect(shop.repo.git("rev-list", "--count", "main..pawl/plan")).toBe("1");
  });
});

describe("the prompt of a step", () => {
  it("has the goal, what the references name, what came before and what is run", async () => {
    const shop = runShop(ONE, `${TALKING}[verify]\ncommand = ["true", "a b"]\n`);
    shop.repo.write("plan.md", PLAN);
    shop.repo.git("commit", "-qam", "a longer plan");
    shop.script({
      speak: "claude",
      runs: [[{ write: "work/{step}.txt" }, { tick: "all" }, { sh: TICK_SUBSTEP }]],
    });
    const { code, stdout } = await shop.start("run", "plan.md").ended;
    expect({ code, stdout }).toMatchObject({ code: 0 });
    const [first] = starts(shop, "step-1");
    const [second] = starts(shop, "step-2");
    expect(first!.prompt).toMatch(/^# Step 1 of 2: Dig/);
    expect(first!.prompt).toContain("Greet people by their name.");
    expect(first!.prompt).toContain("**Decision:** names are UTF-8.");
    expect(first!.prompt).toContain("| long | 80 |");
    expect(first!.prompt).toContain("refers to names that the plan does not define: D09");
    expect(first!.prompt).not.toContain("feat: dig");
    expect(first!.prompt).toContain("pawl state update plan.md step-1-1 --task 1 completed");
    expect(first!.prompt).toContain("When you end, Pawl runs `true 'a b'` on your work and commits it.");
    expect(second!.prompt).toMatch(/## Completed steps\n\n- step-1 \([0-9a-f]{10}\): Dig/);
  });
});

const TICK_SUBSTEP =
  'test "$PAWL_STEP" != step-1 || pawl state update plan.md step-1-1 --worktree "$PAWL_WORKTREE" --all completed';

const PLAN = `## Phase 1.0: Greeter {#phase}

**Purpose:** Greet people by their name.

### Decisions {#decisions}

#### [D01] How names are written (DECIDED) {#d01-names}

**Decision:** names are UTF-8.

**Table T01: Lengths** {#t01-lengths}

| name | most |
| long | 80 |

### Execution Steps {#execution-steps}

#### Step 1: Dig {#step-1}

**Commit:** \`feat: dig\`

**References:** [D01] Names, Table T01, [D09]

**Tasks:**
- [ ] dig

##### Step 1.1: Level {#step-1-1}

**Tasks:**
- [ ] level

#### Step 2: Build {#step-2}

**Depends on:** #step-1

**Tasks:**
- [ ] build
`;
