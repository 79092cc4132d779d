import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { draftGuide } from "../../src/plans/formats/drafts.ts";
import { PAWL, pawlJson } from "../support/cli.ts";
import { DOC_PAGES, docBlocks, inlineCode } from "../support/doc-blocks.ts";
import { planText } from "../support/plans.ts";
import { cleanEnv, testRepository } from "../support/repository.ts";
import { type Acts, SCRIPTED_AGENT } from "../support/supervised.ts";
import { until } from "../support/until.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What proves a block of each language. Another language, or none, is a block that no test reads. */
const LANGUAGES: Readonly<Record<string, string>> = {
  sh: "it is pasted into a shell, below",
  text: "it is a picture, what a program prints, or what is typed into another program",
  ts: "it is run by library.test.ts",
  json: "it is read by doc-examples.test.ts",
  markdown: "it is read by doc-examples.test.ts",
  toml: "it is read by doc-examples.test.ts",
  sql: "it is run by docs-sql.test.ts",
  mermaid: "it is printed from the table that it draws",
};

/** Commands that are not run here, each with who runs it. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "npm run demo": "demo.test.ts runs it",
  "npm test": "npm run test:slow runs this after it",
  "npm run test:slow": "it is what runs this",
  "npm run mutate": "minutes for each room",
  "npx vitest run --project unit src/claims": "npm test runs the same tests",
  "npx vitest run --project e2e test/e2e/run.test.ts": "npm test runs the same tests",
  "npm run format && npm run docs": "npm test compares what they would write",
  "npm run check": "its parts are parts of npm test",
  "npm run docs": "npm test compares what it would print",
  "npm run test:crash": "minutes; its races are part of npm test",
  "npm run test:kills": "half an hour",
  "npm run test:landings": "minutes",
  "npm run test:landed": "half an hour",
  "npm run test:clones": "half an hour",
  "npm run test:edits": "half an hour",
  "npm run test:replay": "minutes; a short one is part of npm test",
  "npm run torture": "as long as --minutes says",
  "npm run test:power": "needs root and loop devices",
  "npm run e2e:agents": "installs the released agents",
  "npm run e2e:nodes": "installs four Nodes",
  "npm run bench": "minutes",
  "npm run bench -- --only cli": "minutes",
  "npm run bench -- --quick": "minutes",
  "npm run bench -- --json figures.json": "minutes",
  "npm run bench -- --seed 7": "minutes",
  "npm run test:ui": "npm test runs the same tests",
  "npm run screenshots": "writes the pictures of the docs",
  "pawl acp -- gemini --acp": "converse.test.ts holds such conversations; the agent is not installed here",
  'pawl acp --ask --allow "npm test" -- opencode acp': "likewise",
  "pawl state migrate --from sqlite --to postgres": "test/postgres/state-migrate.test.ts runs it on a server",
  "PAWL_DATABASE_URL=postgres://pawl@db.example.com/pawl pawl run plan.md --agent claude":
    "test/postgres/docs-recipe.test.ts runs it on a server",
};

/** Commands that run until a person presses Ctrl-C, and how each ends then. */
const ENDLESS: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^pawl ui\b/, [0]],
  [/^pawl state events .*--follow/, [130]],
  [/^pawl status --watch/, [130]],
  // Of a session that is over it ends by itself, now and then before the signal.
  [/^pawl sessions logs .*--follow/, [130, 0]],
];

const endOf = (line: string) => ENDLESS.find(([pattern]) => pattern.test(line))?.[1];

interface Scene {
  /** What a reader has done before, as shell lines. Left out: a plan of three steps is committed and has state. */
  readonly before?: string;
  /** The lines are one another's alternatives: each is tried in a repository of its own. */
  readonly afresh?: true;
  /** What its agents do, other than good work. */
  readonly agent?: readonly Acts[];
  readonly afterwards?: (repository: string) => void;
}

const COMMIT = "git add -A && git commit -q -m 'The plan'";
const SAVED = `${COMMIT} && pawl state init plan.md`;
const STARTED = `${SAVED} && pawl state claim plan.md --worktree . --start`;
const CLAIMED = `${SAVED} && pawl state claim plan.md --worktree .`;
const TICKED = "pawl state update plan.md step-1 --worktree . --all completed";
/** A run whose agent was refused its key in the middle of a step. */
const INTERRUPTED = `${COMMIT} && { SCRIPTED_AGENT=~/refused.json pawl run plan.md --agent claude || test $? = 5; }`;
const INTERRUPTED_IMPROVE = `${COMMIT} && { SCRIPTED_AGENT=~/refused.json pawl improve --agent claude || test $? = 5; }`;
const SNAPSHOT = `${SAVED} && echo work > work.txt && pawl snapshot take`;
const WORKTREE = `${SAVED} && pawl worktree create plan.md`;
const VERIFIED_BY = (program: string) => `printf '[verify]\\ncommand = ["${program}"]\\n' > pawl.toml`;
const SPEC = (folder: string) =>
  `mkdir -p ${folder} && mv ../implementation_plan.json ${folder}/ && ${COMMIT}`;

const planIsDone = (repository: string, plan = "plan.md"): void => {
  const { data } = pawlJson({ cwd: repository }, "state", "show", plan);
  expect(data["plan"]).toMatchObject({ status: "done" });
};

const isSetUp = (agent: string) => (repository: string) => {
  const files = pawlJson({ cwd: repository }, "hooks", "status", agent).data["files"] as {
    installed: boolean;
  }[];
  expect(files.map(({ installed }) => installed)).toContain(true);
  expect(files.map(({ installed }) => installed)).not.toContain(false);
};

/** What is to be there before the blocks under a heading make sense. */
const SCENES: Readonly<Record<string, Scene>> = {
  "README.md: First run": { before: "rm plan.md", afterwards: planIsDone },
  "docs/by-hand.md: Drive a plan by hand, or from your own scripts": {
    before: `rm plan.md && pawl plan new plan && ${COMMIT}`,
    afterwards: (repository) => {
      planIsDone(repository);
      // What was done by hand is in git, too: the database could go.
      for (const name of readdirSync(join(repository, ".git/pawl")).filter((one) =>
        one.startsWith("state.db"),
      ))
        rmSync(join(repository, ".git/pawl", name));
      for (const words of [["init"], ["state", "reconcile", "plan.md"]])
        expect(pawlJson({ cwd: repository }, ...words)).toMatchObject({ status: "ok" });
      planIsDone(repository);
    },
  },
  "docs/recipes.md: Every night, with cron": { before: COMMIT, afterwards: planIsDone },
  "docs/recipes.md: In CI": { before: COMMIT, afterwards: planIsDone },
  "docs/recipes.md: A monorepo": { before: COMMIT },
  "docs/recipes.md: Two agents": { before: COMMIT, afterwards: planIsDone },
  "docs/recipes.md: A sandbox": { before: COMMIT, afterwards: planIsDone },
  "docs/agents.md: Claude Code": { afterwards: isSetUp("claude") },
  "docs/agents.md: Codex": { afterwards: isSetUp("codex") },
  "docs/agents.md: Gemini": { afterwards: isSetUp("gemini") },
  "docs/recovery-by-hand.md: When the database is damaged or gone": {
    afterwards: (repository) =>
      expect(readdirSync(join(repository, ".git/pawl/damaged"))).toContain("state.db"),
  },
  "docs/resume.md: Resuming": { before: INTERRUPTED, afresh: true },
  "docs/plan-formats.md: Implementation plans": { before: SPEC(".auto-claude/specs/001-headers") },
  "docs/commands.md: pawl plan convert": {
    before: `printf -- '- [ ] T001 Dig\\n- [ ] T002 Build\\n' > tasks.md`,
  },
  "docs/commands.md: pawl plan add": {
    before: `printf -- '- [ ] Dig\\n- [ ] Build\\n' > tasks.md && ${SAVED}`,
  },
  "docs/commands.md: pawl completion": { before: "mkdir -p ~/.config/fish/completions" },
  "docs/commands.md: pawl plan new": {
    before: `mkdir plans && printf 'agent = "claude"\\n' > pawl.toml && echo 'Start faster' > issue.md && ${COMMIT}`,
    afresh: true,
    agent: [
      [
        { write: ".pawl-draft/faster-start.md", text: draftGuide("tugplan").example },
        { write: ".pawl-draft/issue-12.md", text: draftGuide("headed").example },
      ],
    ],
  },
  "docs/commands.md: pawl state start": { before: CLAIMED },
  "docs/commands.md: pawl state heartbeat": { before: STARTED },
  "docs/commands.md: pawl state update": { before: STARTED },
  "docs/commands.md: pawl state artifact": { before: `${STARTED} && echo words > strategy.md` },
  "docs/commands.md: pawl state artifacts": {
    before: `${STARTED}${" && pawl state artifact plan.md step-1 --worktree . --kind reviewer_verdict --summary Fine".repeat(3)}`,
  },
  "docs/commands.md: pawl state complete": {
    before: `${STARTED} && ${TICKED} && pawl state claim plan.md --worktree . --step step-2 --start`,
  },
  "docs/commands.md: pawl state release": { before: CLAIMED },
  "docs/commands.md: pawl tell": { before: SAVED },
  "docs/commands.md: pawl state retry": { before: `${SAVED} && pawl state hold plan.md step-1` },
  "docs/commands.md: pawl state reopen": {
    before: `${STARTED} && ${TICKED} && pawl state complete plan.md step-1 --worktree .`,
  },
  "docs/commands.md: pawl state restore": {
    before: `${SAVED} && pawl state hold plan.md step-1 && echo '- [ ] more' >> plan.md && pawl state init plan.md --force`,
  },
  "docs/commands.md: pawl snapshot show": { before: SNAPSHOT },
  "docs/commands.md: pawl snapshot restore": { before: `${SNAPSHOT} && rm work.txt` },
  "docs/commands.md: pawl snapshot drop": { before: SNAPSHOT },
  "docs/commands.md: pawl worktree merge": { before: WORKTREE },
  "docs/commands.md: pawl worktree sync": { before: WORKTREE },
  "docs/commands.md: pawl worktree remove": { before: WORKTREE, afresh: true },
  "docs/commands.md: pawl run": {
    before: `${SPEC(".auto-claude/specs/001-login")} && printf 'agent = "claude"\\n' > pawl.toml`,
    afresh: true,
  },
  "docs/commands.md: pawl resume": { before: INTERRUPTED, afresh: true },
  "docs/commands.md: pawl improve": {
    before: INTERRUPTED_IMPROVE,
    afresh: true,
    agent: [[{ say: "Spec: none" }]],
  },
  "docs/commands.md: pawl verify": {
    before: `${COMMIT} && ${VERIFIED_BY("false")} && { pawl run plan.md --agent claude || test $? = 5; } && ${VERIFIED_BY("true")}`,
  },
  "docs/commands.md: pawl sessions show": { before: INTERRUPTED },
  "docs/commands.md: pawl sessions logs": { before: INTERRUPTED },
  "docs/commands.md: pawl sessions abandon": { before: INTERRUPTED },
  "docs/commands.md: pawl sessions restore": { before: INTERRUPTED },
  "docs/commands.md: pawl commit": {
    before: `${STARTED} && ${TICKED} && mkdir src test && echo work > src/parser.ts && echo work > test/parser.ts`,
    afresh: true,
  },
};

const SPEC_PLAN = {
  feature: "Log in",
  phases: [
    {
      id: "phase-1",
      name: "All",
      subtasks: [{ id: "subtask-1", description: "Do it", status: "pending" }],
    },
  ],
};

/** What the examples name: things whose real names are unknown before they are made. */
const NAMES: readonly (readonly [RegExp, (repository: string) => string])[] = [
  [/s-1f0c\b/g, (cwd) => (pawlJson({ cwd }, "sessions", "list").data["sessions"] as { id: string }[])[0]!.id],
  [
    /\b3f9c2a\b/g,
    (cwd) => (pawlJson({ cwd }, "snapshot", "list").data["snapshots"] as { commit: string }[])[0]!.commit,
  ],
  [
    /\.git\/pawl\/saved\/\S+\.json/g,
    (cwd) => `.git/pawl/saved/${readdirSync(join(cwd, ".git/pawl/saved"))[0]!}`,
  ],
];

/** A repository with a plan that is not committed yet, and a shell that has `pawl` and stand-ins for agents. */
function place(agent?: readonly Acts[]) {
  const repository = testRepository();
  onTestFinished(repository.remove);
  const { path: cwd } = repository;
  const home = dirname(cwd);
  repository.write(
    "plan.md",
    planText([
      { number: "1", tasks: ["add the migration", "use it"], tests: ["it is used", "it is old"] },
      { number: "2", tasks: ["build"] },
      { number: "3", tasks: ["paint"] },
    ]),
  );
  const bin = join(home, "bin");
  mkdirSync(bin);
  symlinkSync(PAWL, join(bin, "pawl"));
  for (const agent of ["bin/claude", "bin/codex", "repo/my-agent"])
    symlinkSync(SCRIPTED_AGENT, join(home, agent));
  writeFileSync(
    join(home, "refused.json"),
    JSON.stringify({ speak: "claude", runs: [[{ write: "half.txt" }, { unauthorised: true }]] }),
  );
  writeFileSync(join(home, "implementation_plan.json"), JSON.stringify(SPEC_PLAN));
  const script = join(home, "script.json");
  if (agent) writeFileSync(script, JSON.stringify({ speak: "claude", runs: agent }));
  const env = cleanEnv({
    PATH: [bin, process.env["PATH"]].join(delimiter),
    HOME: home,
    ...(agent ? { SCRIPTED_AGENT: script } : {}),
  });
  return { cwd, env };
}

type Place = ReturnType<typeof place>;

/** Answers with the trace of what failed; with nothing when all went well. */
function paste({ cwd, env }: Place, lines: string): string {
  const { status, stderr } = spawnSync("bash", ["-euxo", "pipefail"], {
    cwd,
    env,
    input: lines,
    encoding: "utf8",
  });
  return status === 0 ? "" : `exit ${status}: ${stderr}`;
}

/** Starts it, waits for its first words, presses Ctrl-C. */
async function watch({ cwd, env }: Place, line: string, ends: readonly number[]): Promise<void> {
  const child = spawn("bash", ["-c", `exec ${line}`], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise((resolve) => {
    // What a shell would say: a signal that was not caught is 130 too.
    child.on("close", (code, signal) => resolve(signal === "SIGINT" ? 130 : code));
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  await until(() => said !== "" || child.exitCode !== null);
  child.kill("SIGINT");
  expect(ends, said).toContain(await ended);
}

const withoutComment = (line: string): string => line.replace(/(?:^|\s+)#.*$/, "").trimEnd();

/** Real names, once they exist, and without what is run elsewhere. */
function runnable({ cwd }: Place, block: string): string {
  const lines = block.split("\n").filter((line) => !Object.hasOwn(ELSEWHERE, withoutComment(line)));
  return NAMES.reduce(
    (text, [pattern, name]) => (pattern.test(text) ? text.replace(pattern, () => name(cwd)) : text),
    lines.join("\n"),
  );
}

const scenes = new Map<string, string[]>();
/** tutorial.test.ts types the tutorial as a whole, and compares what it prints. */
for (const page of DOC_PAGES.filter((one) => one !== "docs/tutorial.md"))
  for (const { heading, language, text } of docBlocks(page))
    if (language === "sh") {
      const name = `${page}: ${heading}`;
      scenes.set(name, [...(scenes.get(name) ?? []), text]);
    }

describe("what the docs tell people to type", () => {
  it.each([...scenes])("%s", async (name, blocks) => {
    const { before = SAVED, afresh, agent, afterwards } = SCENES[name] ?? {};
    const parts = afresh ? blocks.flatMap((block) => block.split("\n")) : [blocks.join("\n")];
    for (const part of parts) {
      const here = place(agent);
      expect(paste(here, before)).toBe("");
      const text = runnable(here, part);
      const lines = text.split("\n").map(withoutComment);
      if (lines.every((line) => endOf(line) === undefined)) expect(paste(here, text)).toBe("");
      else
        for (const line of lines) {
          const end = endOf(line);
          if (end === undefined) expect(paste(here, line)).toBe("");
          else await watch(here, line, end);
        }
      afterwards?.(here.cwd);
    }
  });

  it.each([
    ["todo.md", "- [ ] Dig\n- [ ] Build\n"],
    ["specs/001/tasks.md", "- [ ] T001 Dig\n- [ ] T002 Build\n"],
    [".auto-claude/specs/001-shop", JSON.stringify(SPEC_PLAN), "implementation_plan.json"],
    [".claude/tasks", JSON.stringify({ id: "1", title: "Dig", status: "Pending" }), "task-1.json"],
  ])("docs/recipes.md: a plan of another tool, %s", (plan, content, ...file) => {
    const { code } = inlineCode("docs/recipes.md").find(({ code }) => code.startsWith(`pawl run ${plan}`))!;
    const here = place();
    const path = join(here.cwd, plan, ...file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    expect(paste(here, `rm plan.md\n${COMMIT}\n${code}`)).toBe("");
    planIsDone(here.cwd, plan);
  });

  it("is in a language that a test reads", () => {
    const strange = DOC_PAGES.flatMap((page) => docBlocks(page)).filter(
      ({ language }) => !Object.hasOwn(LANGUAGES, language),
    );
    expect(strange.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
  });

  it("is prepared for, or run elsewhere, only where it is there", () => {
    expect(Object.keys(SCENES).filter((name) => !scenes.has(name))).toEqual([]);
    const lines = new Set(
      [...scenes.values()].flat().flatMap((block) => block.split("\n").map(withoutComment)),
    );
    expect(Object.keys(ELSEWHERE).filter((line) => !lines.has(line))).toEqual([]);
  });

  it("is a script of package.json where it begins with npm", () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    const named = DOC_PAGES.flatMap((page) => [
      ...docBlocks(page).flatMap(({ text }) => text.split("\n")),
      ...inlineCode(page).map(({ code }) => code),
    ]).flatMap((line) => [...line.matchAll(/\bnpm run ([\w:]+)/g)].map(([, name = ""]) => name));
    expect(named.length).toBeGreaterThan(10);
    expect([...new Set(named)].filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});
