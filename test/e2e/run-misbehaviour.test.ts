import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Acts, AGENT, runShop, type RunShop, untilThere } from "../support/run-shop.ts";
import { PAWL } from "../support/cli.ts";
import { cleanEnv } from "../support/repository.ts";
import { lives } from "../support/supervised.ts";

const STEPS = [
  { number: "1", tasks: ["misbehave"] },
  { number: "2", tasks: ["other"] },
  { number: "3", tasks: ["after"], dependsOn: ["step-2"] },
];
const WORK = "the only copy of step-1";
const OTHERS = ["step-2 completed", "step-3 completed"];
const WRITE: Acts = [{ write: "work/step-1.txt", text: WORK }];
const TICK: Acts = [{ tick: "all" }];
const COMMIT = ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "mine"];

interface Misbehaviour {
  readonly name: string;
  /** What the agent of step-1 does beside its work, each time. */
  readonly acts: Acts;
  /** What becomes of step-1. */
  readonly status: "blocked" | "completed";
  readonly reason?: string;
  /** What a person reads about it. */
  readonly says?: RegExp;
  readonly starts?: number;
  readonly prepare?: (shop: RunShop) => void;
}

const CASES: readonly Misbehaviour[] = [
  {
    name: "makes a repository without a commit inside its worktree",
    acts: [{ git: ["init", "-q"], in: "sub" }, { write: "sub/x.txt" }],
    status: "blocked",
    reason: "not_committable",
    says: /sub\/ is a git repository of its own/,
    starts: 3,
  },
  {
    name: "makes a repository with commits inside its worktree",
    acts: [
      { git: ["init", "-q"], in: "sub" },
      { write: "sub/x.txt" },
      { git: ["add", "-A"], in: "sub" },
      { git: COMMIT, in: "sub" },
    ],
    status: "blocked",
    reason: "not_committable",
    says: /sub is a git repository of its own/,
    starts: 3,
  },
  {
    name: "writes line ends that the settings refuse",
    acts: [{ write: "crlf.txt", text: "one\r\ntwo\r\n" }],
    status: "blocked",
    reason: "not_committable",
    says: /crlf\.txt/,
    prepare({ repo }) {
      repo.git("config", "core.autocrlf", "input");
      repo.git("config", "core.safecrlf", "true");
    },
  },
  {
    name: "commits on a branch without a past",
    acts: [{ git: ["checkout", "-q", "--orphan", "fresh"] }, { git: ["add", "-A"] }, { git: COMMIT }],
    status: "blocked",
    reason: "step_failed",
    says: /E301/,
    starts: 1,
  },
  {
    name: "deletes the .git of its worktree",
    acts: [{ remove: ".git" }],
    status: "blocked",
    reason: "step_failed",
    says: /E064/,
  },
  {
    name: "moves its worktree away",
    acts: [{ sh: 'mv "$PAWL_WORKTREE" "$PAWL_WORKTREE-moved"' }],
    status: "blocked",
    reason: "step_failed",
    says: /E064/,
  },
  {
    name: "leaves a lock of a git that is dead in its worktree",
    acts: [{ sh: 'echo half > "$(git rev-parse --git-dir)/index.lock"' }],
    status: "completed",
  },
  {
    name: "leaves a lock on the plan's branch",
    acts: [{ sh: 'echo half > "$(git rev-parse --git-common-dir)/refs/heads/pawl/plan.lock"' }],
    status: "completed",
  },
];

const run = (shop: RunShop) => shop.run("--workers", "2");

/** Whether a text is in some file of a worktree, or in a tree that a ref leads to. */
function isKept({ repo }: RunShop, text: string): boolean {
  const places = join(repo.path, ".pawl/worktrees");
  if (spawnSync("grep", ["-rqsF", text, places]).status === 0) return true;
  const refs = repo.git("for-each-ref", "--format=%(refname)").split("\n");
  return refs.some((ref) => spawnSync("git", ["-C", repo.path, "grep", "-qF", text, ref]).status === 0);
}

const stepOne = (shop: RunShop) =>
  shop.query("select status, block_reason, block_note from steps where anchor = 'step-1'")[0]!;

// proves G-agents-contained
describe("an agent that", () => {
  it.each(CASES)("$name stops its own step at most", async (misbehaviour) => {
    const { acts, status, reason = null, says, starts, prepare } = misbehaviour;
    const shop = runShop(STEPS);
    prepare?.(shop);
    shop.script({ steps: { "step-1": [[...WRITE, ...TICK, ...acts]] } });
    const first = await run(shop);
    expect(first.stderr + first.stdout).not.toMatch(/Stopped by an error|error\[/);
    expect(first.code).toBe(status === "blocked" ? 5 : 0);
    expect(shop.steps()).toEqual([`step-1 ${status}`, ...OTHERS]);
    expect(stepOne(shop)).toMatchObject({ block_reason: reason });
    if (says) expect(stepOne(shop)["block_note"]).toMatch(says);
    if (starts !== undefined) expect(shop.starts("step-1")).toBe(starts);
    expect(isKept(shop, WORK)).toBe(true);
    // The run ended in order: nothing waits to be resumed, and nothing keeps the next one from its work.
    expect(shop.pawl("resume")).toMatchObject({ code: 6 });
    if (status === "completed") return;
    shop.script({});
    expect(shop.pawl("state", "retry", "plan.md", "step-1")).toMatchObject({ code: 0 });
    expect(await run(shop)).toMatchObject({ code: 0 });
    expect(shop.steps()).toEqual(["step-1 completed", ...OTHERS]);
    expect(isKept(shop, WORK)).toBe(true);
  });

  it("makes a repository inside gets the reason back, and may put it right", async () => {
    const shop = runShop(STEPS);
    const nested = [...WRITE, ...TICK, { git: ["init", "-q"], in: "sub" }, { write: "sub/x.txt" }];
    shop.script({
      steps: { "step-1": [nested, [{ sh: 'mv sub/.git "$PAWL_WORKTREE-aside"' }, ...TICK]] },
    });
    expect(await run(shop)).toMatchObject({ code: 0 });
    expect(shop.starts("step-1")).toBe(2);
    expect(shop.repo.git("ls-tree", "-r", "--name-only", "pawl/plan")).toContain("sub/x.txt");
    const logs = join(shop.repo.path, ".git/pawl/logs");
    const prompts = readdirSync(logs, { recursive: true })
      .map(String)
      .filter((name) => name.endsWith(".prompt.md"))
      .map((name) => readFileSync(join(logs, name), "utf8"));
    // Other workers have prompts of the same names.
    const text = prompts.find((one) => one.includes("sub/ is a git repository of its own"));
    expect(text).toContain("move its .git elsewhere");
  });

  it("makes a repository inside and is interrupted is resumed like any other", async () => {
    const shop = runShop(STEPS);
    const nested = [...WRITE, { git: ["init", "-q"], in: "sub" }, { write: "sub/x.txt" }];
    shop.script({ steps: { "step-1": [[...nested, { write: shop.path("made") }, { hang: true }], TICK] } });
    const { child, ended } = shop.start("run", "plan.md", ...AGENT);
    await untilThere(shop.path("made"));
    child.kill("SIGINT");
    await ended;
    expect(shop.pawl("resume")).toMatchObject({ code: 5 });
    expect(shop.steps()).toEqual(["step-1 blocked", ...OTHERS]);
    expect(isKept(shop, WORK)).toBe(true);
  });
});

describe("a commit that is refused", () => {
  /** Signs as gpg would, but for the step that it is broken for, as long as it is broken. */
  function withSigning(shop: RunShop, broken: string): void {
    const program = shop.path("gpg");
    writeFileSync(
      program,
      `#!/bin/sh
said=$(cat)
if test -e '${broken}' && printf '%s' "$said" | grep -q 'Pawl-Step: step-1'; then echo 'gpg: no secret key' >&2; exit 2; fi
echo '[GNUPG:] SIG_CREATED ' >&2
printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nnone\\n-----END PGP SIGNATURE-----\\n'
`,
      { mode: 0o755 },
    );
    writeFileSync(broken, "");
    shop.repo.git("config", "gpg.program", program);
    shop.repo.git("config", "commit.gpgsign", "true");
  }

  it("because it cannot be signed blocks its step with the work kept, and costs no agent a second run", async () => {
    const shop = runShop(STEPS);
    const broken = shop.path("broken");
    withSigning(shop, broken);
    shop.script({ steps: { "step-1": [[...WRITE, ...TICK]] } });
    expect(await run(shop)).toMatchObject({ code: 5 });
    expect(shop.steps()).toEqual(["step-1 blocked", ...OTHERS]);
    expect(stepOne(shop)).toMatchObject({ block_reason: "commit_refused" });
    expect(stepOne(shop)["block_note"]).toMatch(/secret key|gpg/);
    const ref = /refs\/pawl\/rescue\/\S+(?=;)/.exec(String(stepOne(shop)["block_note"]))![0];
    expect(shop.repo.git("show", `${ref}:work/step-1.txt`)).toBe(WORK);
    rmSync(broken);
    expect(shop.pawl("state", "retry", "plan.md", "step-1")).toMatchObject({ code: 0 });
    expect(await run(shop)).toMatchObject({ code: 0 });
    expect(shop.starts("step-1")).toBe(1);
    expect(shop.repo.git("show", "pawl/plan:work/step-1.txt")).toBe(WORK);
    expect(shop.commits().filter((step) => step === "step-1")).toEqual(["step-1"]);
  });

  it("by a hook goes back to the agent once, and not again for the same files", async () => {
    const shop = runShop(STEPS);
    const hook = `#!/bin/sh\ntest -e '${shop.path("fixed")}' || ! git diff --cached --name-only | grep -q step-1\n`;
    writeFileSync(join(shop.repo.path, ".git/hooks/pre-commit"), hook, { mode: 0o755 });
    shop.script({ steps: { "step-1": [[...WRITE, ...TICK]] } });
    expect(await run(shop)).toMatchObject({ code: 5 });
    expect(shop.starts("step-1")).toBe(2);
    expect(stepOne(shop)).toMatchObject({ status: "blocked", block_reason: "commit_refused" });
    writeFileSync(shop.path("fixed"), "");
    shop.pawl("state", "retry", "plan.md", "step-1");
    expect(await run(shop)).toMatchObject({ code: 0 });
    expect(shop.starts("step-1")).toBe(2);
    expect(shop.repo.git("show", "pawl/plan:work/step-1.txt")).toBe(WORK);
  });
});

describe("a daemon that left its agent's group, session and streams", () => {
  /** Writes into the worktree for as long as it lives, and says who it is. */
  const daemon = (pid: string, env: string): Acts => [
    {
      sh: `cd / && setsid env -i ${env} sh -c 'echo $$ > ${pid}; while :; do echo late >> "$0/late.txt"; sleep 0.02; done' "$PAWL_WORKTREE" </dev/null >/dev/null 2>&1 &
until test -s ${pid}; do sleep 0.01; done`,
    },
  ];
  const pidIn = (file: string): number => Number(readFileSync(file, "utf8"));
  const endWithTest = (pid: string) =>
    onTestFinished(() => {
      if (existsSync(pid) && lives(pidIn(pid))) process.kill(pidIn(pid), "SIGKILL");
    });

  it("is stopped where nothing says that it is a person's", async () => {
    const shop = runShop(STEPS);
    const pid = shop.path("pid");
    endWithTest(pid);
    shop.script({ steps: { "step-1": [[...WRITE, ...TICK, ...daemon(pid, "HOME=/root PATH=$PATH")]] } });
    expect(await run(shop)).toMatchObject({ code: 0 });
    expect(lives(pidIn(pid))).toBe(false);
    expect(isKept(shop, WORK)).toBe(true);
  });

  it("and looks like a person's keeps its own worktree only", async () => {
    const shop = runShop(STEPS);
    const pid = shop.path("pid");
    endWithTest(pid);
    shop.script({ steps: { "step-1": [[...WRITE, ...TICK, ...daemon(pid, "USER=me PATH=$PATH")]] } });
    const { code, stdout, stderr } = await run(shop);
    expect(stdout + stderr).not.toMatch(/Stopped by an error/);
    expect([0, 5]).toContain(code);
    expect(shop.steps().slice(1)).toEqual(OTHERS);
    expect(shop.steps()[0]).toMatch(/step-1 (?:completed|blocked)/);
    expect(lives(pidIn(pid))).toBe(true);
    expect(isKept(shop, WORK)).toBe(true);
    expect(shop.pawl("resume")).toMatchObject({ code: 6 });
  });
});

it("a file that git ignores and another step commits keeps its worktree, and the worker takes another", async () => {
  const shop = runShop([
    { number: "1", tasks: ["build"] },
    { number: "2", tasks: ["commit what is built"] },
    { number: "3", tasks: ["one"], dependsOn: ["step-1", "step-2"] },
    { number: "4", tasks: ["two"], dependsOn: ["step-1", "step-2"] },
  ]);
  shop.repo.write(".gitignore", "built.txt\n");
  shop.repo.git("add", "-A");
  shop.repo.git("commit", "-qm", "ignores");
  const meet = (mine: string, other: string): Acts => [
    { write: shop.path(mine) },
    { waitFor: shop.path(other) },
  ];
  shop.script({
    steps: {
      "step-1": [[{ write: "built.txt", text: WORK }, ...meet("a1", "a2"), { write: "one.txt" }, ...TICK]],
      "step-2": [[...meet("a2", "a1"), { write: "built.txt" }, { git: ["add", "-f", "built.txt"] }, ...TICK]],
      "step-3": [[...meet("b1", "b2"), { write: "three.txt" }, ...TICK]],
      "step-4": [[...meet("b2", "b1"), { write: "four.txt" }, ...TICK]],
    },
  });
  expect(await run(shop)).toMatchObject({ code: 0 });
  expect(shop.steps().every((step) => step.endsWith("completed"))).toBe(true);
  expect(isKept(shop, WORK)).toBe(true);
});

it("eight workers with hardly a file to open end without a raw error", { timeout: 120_000 }, () => {
  const shop = runShop(Array.from({ length: 8 }, (_, at) => ({ number: String(at + 1), tasks: ["work"] })));
  const words = ["run", "plan.md", "--workers", "8", ...AGENT];
  const { stdout, stderr } = spawnSync(
    "/bin/sh",
    ["-c", `ulimit -n 80; exec "$@"`, "sh", process.execPath, PAWL, ...words],
    { cwd: shop.repo.path, env: cleanEnv(shop.env), encoding: "utf8" },
  );
  expect(stdout + stderr).not.toMatch(/^\s+at .*(?:\.[cm]?js|node:)/m);
  expect(stdout + stderr).not.toMatch(/E099|TypeError/);
  expect(shop.pawl("resume").code).not.toBe(70);
});
