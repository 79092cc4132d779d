// A throw-away repository in which everything that the page can show is there: done, running, stuck and interrupted work.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PAWL = fileURLToPath(new URL("../dist/pawl.cjs", import.meta.url));
const AGENT = fileURLToPath(new URL("../test/support/scripted-agent/scripted-agent.mjs", import.meta.url));

/** Number, title, what it waits for, tasks, tests. */
const CHECKOUT = [
  [
    "1",
    "Describe orders and payments as types",
    [],
    ["Order, Payment and Refund types", "Money as whole cents"],
    ["Types reject negative amounts"],
  ],
  [
    "2",
    "Keep orders in PostgreSQL",
    ["1"],
    ["Migration for orders", "Repository with optimistic locking"],
    ["Two writers never lose an update"],
  ],
  [
    "3",
    "Take payments through the provider",
    ["1"],
    ["Client with timeouts and retries", "Idempotency keys"],
    ["A lost answer charges once"],
  ],
  [
    "4",
    "Check out a basket",
    ["2", "3"],
    ["Reserve stock", "Charge, then confirm"],
    ["A failed charge frees the stock"],
  ],
  ["5", "Refund an order", ["3"], ["Whole and partial refunds"], ["Never more than was paid"]],
  ["6", "Send receipts", ["4"], ["Render the receipt", "Queue and send"], ["Sent once, even after a crash"]],
  ["7", "Show orders to support", ["2"], ["List with filters", "Detail with history"], []],
  ["8", "Measure the checkout", ["4"], ["Duration and failures by step"], ["Dashboards load"]],
  [
    "9",
    "Load test at ten times the traffic",
    ["6", "8"],
    ["Scenario with baskets of all sizes"],
    ["p99 below 400 ms"],
  ],
  ["10", "Write the runbook", ["8"], ["Alerts with what to do"], []],
];

const SEARCH = [
  ["1", "Index products as they change", [], ["Consume the change feed"], ["Nothing is indexed twice"]],
  ["2", "Answer queries with facets", ["1"], ["Query parser", "Facet counts"], ["Empty queries are cheap"]],
  ["3", "Forgive typing errors", ["2"], ["Edit distance of two"], []],
];

/** Thought of after the others were done. */
const LATER = ["4", "Learn from what people click", ["2"], ["Keep clicks for a month"], []];

const MIGRATION = [
  ["1", "Freeze the old API", [], ["Announce", "Refuse new clients"], []],
  ["2", "Copy accounts", ["1"], ["Copy in batches", "Compare sums"], ["No account is lost"]],
  ["3", "Switch over", ["2"], ["Turn the flag"], []],
];

function planText(title, steps) {
  const list = (name, lines) =>
    lines.length === 0 ? [] : ["", `**${name}:**`, ...lines.map((line) => `- [ ] ${line}`)];
  const blocks = steps.map(([number, name, needs, tasks, tests]) =>
    [
      `#### Step ${number}: ${name} {#step-${number}}`,
      ...(needs.length > 0 ? ["", `**Depends on:** ${needs.map((one) => `#step-${one}`).join(", ")}`] : []),
      "",
      `${name}, so that the next steps can build on it. Keep \`main\` releasable at every commit.`,
      ...list("Tasks", tasks),
      ...list("Tests", tests),
    ].join("\n"),
  );
  return [
    `## Phase 1.0: ${title} {#phase}`,
    "",
    "### Execution Steps {#execution-steps}",
    "",
    blocks.join("\n\n---\n\n"),
    "",
  ].join("\n");
}

/** What the scripted agent does for a step: says a few things, writes a file, ticks. */
const work = (file, pause = 120) => [
  { say: "Reading the step and the code around it." },
  { tool: "Read", detail: "src/index.ts" },
  { pause },
  { tool: "Edit", detail: file },
  { write: file, text: `export const made = "{unique}";\n` },
  { say: "Running the tests." },
  { pause },
  { tick: "all" },
];

const hang = (file) => [
  { say: "Thinking about stock that is reserved twice." },
  { tool: "Edit", detail: file },
  { write: file, text: "// half done {unique}\n" },
  { say: "Now the compensation when a charge fails…" },
  { hang: true },
];

export async function makeShowcase() {
  const home = mkdtempSync(join(tmpdir(), "pawl-show-"));
  const repo = join(home, "storefront");
  const env = cleanEnv(join(home, "script.json"));
  const children = [];
  const write = (name, text) => {
    mkdirSync(dirname(join(repo, name)), { recursive: true });
    writeFileSync(join(repo, name), text);
  };
  const git = (...args) => execFileSync("git", ["-C", repo, ...args], { env, stdio: "ignore" });
  const pawl = (...args) =>
    spawnSync(process.execPath, [PAWL, ...args], { cwd: repo, env, encoding: "utf8" });
  const script = (steps) =>
    writeFileSync(
      join(home, "script.json"),
      JSON.stringify({ speak: "plain", runs: [work("src/{step}.ts")], steps }),
    );
  const start = (...args) => {
    const child = spawn(process.execPath, [PAWL, ...args, "--", process.execPath, AGENT], {
      cwd: repo,
      env,
      stdio: "ignore",
    });
    children.push(child);
    return child;
  };
  const until = async (isSo) => {
    for (let round = 0; round < 600 && !isSo(); round += 1) await new Promise((go) => setTimeout(go, 50));
    if (!isSo()) throw new Error("the showcase did not come about");
  };
  const there = (file) => (statSync(join(repo, file), { throwIfNoEntry: false })?.size ?? 0) > 0;

  execFileSync("git", ["init", "-q", "-b", "main", repo], { env });
  write("docs/checkout-plan.md", planText("A checkout that never charges twice", CHECKOUT));
  write("docs/search-plan.md", planText("Search people trust", SEARCH));
  write("docs/migration-plan.md", planText("Move accounts to the new API", MIGRATION));
  write("notes/later-plan.md", planText("Things for later", SEARCH.slice(0, 2)));
  write("README.md", "# Storefront\n");
  write(
    "pawl.toml",
    `agent = "command"\n[agents.command]\nprogram = ["${process.execPath}", "${AGENT}"]\n[verify]\ncommand = ["sh", "check.sh"]\n`,
  );
  write(
    "check.sh",
    "test ! -e src/step-5.ts && exit 0\necho '1 of 14 tests failed: refunds never exceed what was paid'\necho '  expected 1999, received 2000'\nexit 1\n",
  );
  git("add", "-A");
  git("commit", "-q", "-m", "storefront");

  script({});
  pawl("run", "docs/search-plan.md", "--", process.execPath, AGENT);
  // A person has edited a plan since.
  write("docs/search-plan.md", planText("Search people trust", [...SEARCH, LATER]));
  // Some steps done one after the other, one that fails its verification three times.
  script({ "step-6": [hang("src/receipts.ts")] });
  pawl("run", "docs/checkout-plan.md", "--max-steps", "5", "--", process.execPath, AGENT);
  // A run that is killed in the middle of a step, and one that continues.
  script({ "step-1": [hang("src/freeze.ts")] });
  const killed = start("run", "docs/migration-plan.md");
  await until(() => there(".pawl/worktrees/migration-plan-w1/src/freeze.ts"));
  killed.kill("SIGKILL");
  const steps = Object.fromEntries(
    ["step-6", "step-7", "step-8"].map((step) => [step, [hang(`src/${step}.ts`)]]),
  );
  script(steps);
  pawl("state", "hold", "docs/checkout-plan.md", "step-10", "--reason", "after the launch");
  start("run", "docs/checkout-plan.md", "--workers", "2");
  const sites = ["w1", "w2", "w3"].map((name) => `.pawl/worktrees/checkout-plan-${name}`);
  await until(
    () =>
      sites.filter((site) => ["step-6", "step-7", "step-8"].some((step) => there(`${site}/src/${step}.ts`)))
        .length >= 2,
  );

  return {
    home,
    repo,
    env,
    pawl,
    /** The page's server, and a link into it. */
    async serve(...options) {
      const child = spawn(process.execPath, [PAWL, "ui", "--no-open", "--json", ...options], {
        cwd: repo,
        env,
        stdio: ["ignore", "pipe", "inherit"],
      });
      children.push(child);
      const line = await new Promise((heard) => child.stdout.once("data", (text) => heard(String(text))));
      return { child, ...JSON.parse(line.split("\n")[0]) };
    },
    async close() {
      for (const child of children)
        if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
      for (const child of children)
        if (child.exitCode === null && child.signalCode === null)
          await new Promise((ended) => child.once("exit", ended));
      // The agent of a runner that was killed lives on; nothing else ends it here.
      for (const name of existsSync(home) ? readdirSync(home) : []) {
        if (!/^script\.json\..+\.json$/.test(name)) continue;
        const { pid } = JSON.parse(readFileSync(join(home, name), "utf8"));
        try {
          process.kill(pid, "SIGKILL");
        } catch {
          // It ended by itself.
        }
      }
      if (existsSync(home)) rmSync(home, { recursive: true, force: true });
    },
  };
}

function cleanEnv(script) {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(GIT_|PAWL_|NODE_EXTRA_CA_CERTS)/.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.invalid",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.invalid",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
    SCRIPTED_AGENT: script,
    SCRIPTED_AGENT_PAWL: `${process.execPath}\n${PAWL}`,
  };
}
