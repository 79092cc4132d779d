/** Number, title, and the steps before it. */
const STEPS: readonly (readonly [number: number, title: string, needs: readonly number[]])[] = [
  [1, "Lay out the shop", []],
  [2, "Prices", [1]],
  [3, "Stock", [1]],
  [4, "Customers", [1]],
  [5, "Basket", [2, 3]],
  [6, "Discounts", [2, 4]],
  [7, "Checkout", [5, 6]],
  [8, "Receipts", [7]],
  [9, "Reports", [3, 4]],
  [10, "Opening day", [8, 9]],
];

export const DEMO_STEPS = STEPS.length;

/** The files of the demo's repository, by name. */
export const demoFiles = (): Readonly<Record<string, string>> => ({
  "plan.md": planText(),
  "agent.mjs": AGENT,
  "check.mjs": CHECK,
  "pawl.toml": SETTINGS,
});

const planText = (): string =>
  [
    "## Phase 1.0: Open a shop (demo) {#phase-shop}",
    "",
    "### Execution Steps {#steps}",
    "",
    ...STEPS.map(([number, title, needs]) =>
      [
        `#### Step ${number}: ${title} {#step-${number}}`,
        "",
        ...(needs.length > 0
          ? [`**Depends on:** ${needs.map((need) => `#step-${need}`).join(", ")}`, ""]
          : []),
        "**Tasks:**",
        `- [ ] write ${title.toLowerCase()}`,
        "",
        "**Tests:**",
        `- [ ] check ${title.toLowerCase()}`,
        "",
      ].join("\n"),
    ),
  ].join("\n");

/** It is a file of the repository, so that a person can read what plays the agent. */
const AGENT = `// Plays a coding agent for the demo. It calls no model and costs nothing: it waits a little, writes one file,
// and ticks the checklist of its step. DEMO_PACE=0 in the environment lets it hurry.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

const { PAWL_PLAN: plan, PAWL_STEP: step, PAWL_WORKTREE: worktree, DEMO_PACE = "1" } = process.env;
const think = (ms) => new Promise((resolve) => setTimeout(resolve, ms * Number(DEMO_PACE)));
const file = \`shop/\${step}.txt\`;

const prompt = readFileSync(0, "utf8");
console.log(\`I am a script that plays an agent. My prompt has \${prompt.length} characters.\`);
await think(1500);
// The first attempt at step-8 does not pass the check, so that you see what Pawl does then.
const text = step === "step-8" && !existsSync(file) ? "Nearly.\\n" : "It works.\\n";
console.log(\`Writing \${file}.\`);
mkdirSync("shop", { recursive: true });
writeFileSync(file, text);
await think(1500);
const tick = ["state", "update", plan, step, "--worktree", worktree, "--all", "completed"];
const { status } = spawnSync("pawl", tick, { stdio: ["ignore", "ignore", "inherit"] });
console.log(status === 0 ? \`Finished \${step}.\` : \`The checklist of \${step} could not be ticked.\`);
`;

const CHECK = `// The check that every step must pass: each file of the shop says that it works.
import { readdirSync, readFileSync } from "node:fs";

const isUnfinished = (name) => !readFileSync(\`shop/\${name}\`, "utf8").includes("works");
const unfinished = readdirSync("shop").filter(isUnfinished);
if (unfinished.length > 0) {
  console.error(\`not finished: \${unfinished.join(", ")}\`);
  process.exit(1);
}
`;

const SETTINGS = `# A script plays the agent here; a real one is named the same way: agent = "claude"
agent = "demo"

[agents.demo]
preset = "command"
program = ["node", "agent.mjs"]

[verify]
command = ["node", "check.mjs"]
`;
