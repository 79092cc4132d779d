import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  AGENT,
  GOOD,
  type RunShop,
  runShop,
  THREE,
  type Started,
  untilThere,
  untilWritten,
} from "../support/run-shop.ts";
import { lives } from "../support/supervised.ts";
import { until } from "../support/until.ts";

/**
 * A signal in every phase of a run. Ctrl-C and a closed terminal reach everything in the foreground, which is Pawl alone:
 * git and hooks are let to their end. SIGTERM is sent to Pawl alone, as service managers do it.
 */

const SIGNALS = [
  ["SIGINT", 130, "user_interrupt", "by SIGINT"],
  ["SIGTERM", 143, "termination", "by SIGTERM"],
  ["SIGHUP", 129, "hangup", "when its terminal or client closed"],
] as const;

function send({ child }: Started, signal: NodeJS.Signals): void {
  process.kill(signal === "SIGTERM" ? child.pid! : -child.pid!, signal);
}

interface Phase {
  readonly name: string;
  readonly settings?: string;
  readonly prepare: (shop: RunShop) => void;
  readonly reached: (shop: RunShop) => Promise<void>;
  /** What keeps it in this phase is taken away. */
  readonly release: (shop: RunShop) => void;
  /** Git is at work: it is never cut off, so the run ends when what keeps git is taken away. */
  readonly isGit?: boolean;
  /** Where a command that Pawl has to end by itself leaves its number. */
  readonly pid?: string;
  /** How often the agent is started for the step in the end. */
  readonly starts: number;
  /** What is said of where it was. */
  readonly at: string | undefined;
}

const WAIT = "while [ -e ../../../../wait ]; do touch ../../../../seen; sleep 0.05; done";
const wait = (shop: RunShop) => writeFileSync(shop.path("wait"), "");
const goOn = (shop: RunShop) => rmSync(shop.path("wait"), { force: true });
const hook = (shop: RunShop, name: string) =>
  writeFileSync(
    join(shop.repo.path, ".git/hooks", name),
    `#!/bin/sh\nwhile [ -e ${shop.path("wait")} ]; do touch ${shop.path("seen")}; sleep 0.05; done\n`,
    { mode: 0o755 },
  );

const PHASES: readonly Phase[] = [
  {
    name: "waiting for a step that another worker holds",
    prepare(shop) {
      const worktree = shop.repo.addWorktree("somebody");
      shop.json("state", "init", "plan.md");
      shop.json("state", "claim", "plan.md", "--worktree", worktree);
    },
    reached: async (shop) => {
      await until(
        () => shop.query("select count(*) as n from sessions where status = 'in_progress'")[0]!["n"] === 1,
      );
    },
    release: (shop) => shop.json("state", "release", "plan.md", "step-1", "--force"),
    starts: 1,
    at: undefined,
  },
  {
    name: "setting up its worktree",
    settings: `worktree_setup = ["sh", "-c", ${JSON.stringify(`echo $$ > ../../../../set-up.pid; ${WAIT}; echo ready > set-up.txt`)}]\n`,
    prepare: wait,
    reached: (shop) => untilThere(shop.path("seen")),
    release: goOn,
    pid: "set-up.pid",
    starts: 1,
    at: undefined,
  },
  {
    name: "implementing",
    prepare: (shop) => shop.script({ steps: { "step-1": [[{ write: "half.txt" }, { hang: true }], GOOD] } }),
    reached: (shop) => untilWritten(join(shop.worktree(), "half.txt")),
    release: () => undefined,
    starts: 2,
    at: "step-1, implement",
  },
  {
    name: "verifying",
    settings: `[verify]\ncommand = ["sh", "-c", ${JSON.stringify(WAIT)}]\n`,
    prepare: wait,
    reached: (shop) => untilThere(shop.path("seen")),
    release: goOn,
    starts: 1,
    at: "step-1, verify",
  },
  {
    name: "about to commit",
    prepare(shop) {
      wait(shop);
      hook(shop, "pre-commit");
    },
    reached: (shop) => untilThere(shop.path("seen")),
    release: goOn,
    isGit: true,
    starts: 1,
    at: "step-1, implement",
  },
  {
    name: "having just committed",
    prepare(shop) {
      wait(shop);
      hook(shop, "post-commit");
    },
    reached: (shop) => untilThere(shop.path("seen")),
    release: goOn,
    isGit: true,
    starts: 1,
    at: undefined,
  },
];

describe.each(PHASES)("while $name", (phase) => {
  const { settings, prepare, reached, release, isGit = false, pid, starts, at } = phase;
  it.each(SIGNALS)(
    "%s ends the run with its code and marker, and resume continues",
    async (signal, code, type, words) => {
      const shop = runShop(THREE, settings);
      prepare(shop);
      const job = shop.startJob("run", "plan.md", ...AGENT);
      await reached(shop);
      send(job, signal);
      const isReleased = isGit || (signal === "SIGTERM" && pid === undefined);
      if (isReleased) release(shop);
      const ended = await job.ended;
      expect({ code: ended.code, signal: ended.signal, stderr: ended.stderr }).toMatchObject({
        code,
        signal: null,
        stderr: expect.stringContaining(`${signal}: stopping`),
      });
      expect(shop.query("select status, interruption_type, resumable from sessions")).toEqual([
        { status: "interrupted", interruption_type: type, resumable: 1 },
      ]);
      expect(
        shop.query(
          "select status, verification_attempts as n from steps where status <> 'completed' and verification_attempts > 0",
        ),
      ).toEqual([]);
      const listed = shop.pawl("sessions", "list").stdout.replaceAll(/\s+/g, " ");
      expect(listed).toContain(words);
      if (at !== undefined) expect(listed).toMatch(new RegExp(`(at|after) ${at}`));
      const own = pid === undefined ? [] : [Number(readFileSync(shop.path(pid), "utf8"))];
      expect([...shop.pids(), ...own].filter(lives)).toEqual([]);
      if (!isReleased) release(shop);
      const resumed = shop.pawl("resume");
      expect({ code: resumed.code, stderr: resumed.stderr }).toMatchObject({ code: 0 });
      expect(shop.steps()).toEqual(["step-1 completed", "step-2 completed", "step-3 completed"]);
      expect(shop.commits()).toEqual(["step-1", "step-2", "step-3"]);
      expect(shop.starts("step-1")).toBe(starts);
      expect(shop.query("select distinct status from sessions")).toEqual([{ status: "completed" }]);
      expect(shop.repo.git("fsck", "--strict", "--no-dangling")).toBe("");
    },
  );
});

it.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)(
  "%s while one step is verified says that nothing was judged, and how to go on",
  async (signal, exit) => {
    const shop = runShop(THREE, `[verify]\ncommand = ["sh", "-c", ${JSON.stringify(WAIT)}]\n`);
    wait(shop);
    const run = shop.startJob("run", "plan.md", ...AGENT);
    await untilThere(shop.path("seen"));
    send(run, "SIGINT");
    await run.ended;
    rmSync(shop.path("seen"));
    const job = shop.startJob("verify", "plan.md", "step-1");
    await untilThere(shop.path("seen"));
    send(job, signal);
    const { code, stdout } = await job.ended;
    expect(code).toBe(exit);
    expect(stdout).toMatch(/^interrupted step-1: stopped before there was a verdict/);
    expect(stdout).toContain("  next: pawl verify plan.md step-1\n");
    goOn(shop);
    expect(shop.pawl("verify", "plan.md", "step-1").code).toBe(0);
    expect(shop.steps()[0]).toBe("step-1 completed");
  },
);

it("a second signal while one step is verified is an interruption too", async () => {
  const shop = runShop(THREE, `[verify]\ncommand = ["sh", "-c", ${JSON.stringify(WAIT)}]\n`);
  wait(shop);
  const run = shop.startJob("run", "plan.md", ...AGENT);
  await untilThere(shop.path("seen"));
  send(run, "SIGINT");
  await run.ended;
  // Git is never cut off, so only a second signal ends this.
  hook(shop, "pre-commit");
  writeFileSync(join(shop.repo.path, "pawl.toml"), "");
  rmSync(shop.path("seen"));
  const job = shop.startJob("verify", "plan.md", "step-1");
  await untilThere(shop.path("seen"));
  // Two of one kind that are sent at once arrive as one, and two of different kinds in any order.
  send(job, "SIGINT");
  send(job, "SIGTERM");
  expect([130, 143]).toContain((await job.ended).code);
  const kinds = shop.query("select interruption_type as kind from sessions order by started_at");
  expect(kinds[0]).toEqual({ kind: "user_interrupt" });
  expect(["user_interrupt", "termination"]).toContain(kinds[1]?.["kind"]);
  goOn(shop);
  expect(shop.pawl("verify", "plan.md", "step-1").code).toBe(0);
  expect(shop.commits()).toEqual(["step-1"]);
});

describe("Ctrl-C", () => {
  it("when the last step has landed leaves nothing to resume, for workers that waited either", async () => {
    const shop = runShop([THREE[0]!]);
    wait(shop);
    hook(shop, "post-commit");
    const job = shop.startJob("run", "plan.md", "--workers", "2", ...AGENT);
    await untilThere(shop.path("seen"));
    send(job, "SIGINT");
    goOn(shop);
    const { code, stdout } = await job.ended;
    expect(code).toBe(130);
    expect(stdout).toContain("Interrupted by SIGINT; all steps are completed.\n");
    expect(stdout).not.toContain("pawl resume");
    expect(stdout).toContain("next: pawl worktree merge plan.md");
    expect(shop.query("select distinct status from sessions")).toEqual([{ status: "completed" }]);
    expect(shop.json("recover", "--dry-run").data.findings).toEqual([]);
  });

  const stderrOf = ({ child }: Started) => {
    let text = "";
    child.stderr!.on("data", (chunk: string) => (text += chunk));
    return () => text;
  };

  it("says at once what is being stopped, and a second one is an interruption too", async () => {
    const shop = runShop();
    wait(shop);
    hook(shop, "pre-commit");
    const job = shop.startJob("run", "plan.md", ...AGENT);
    const stderr = stderrOf(job);
    await untilThere(shop.path("seen"));
    send(job, "SIGINT");
    await until(() => stderr().includes("SIGINT: stopping commit of step-1"));
    expect(job.child.exitCode).toBe(null);
    send(job, "SIGINT");
    const ended = await job.ended;
    expect(ended).toMatchObject({ code: 130, signal: null });
    expect(ended.stderr).toMatch(/left without waiting.*Resume with: pawl resume s-/);
    expect(shop.query("select status, interruption_type from sessions")).toEqual([
      { status: "interrupted", interruption_type: "user_interrupt" },
    ]);
    // Git was not cut off: what it was asked is done before or after the resume, and once.
    goOn(shop);
    expect(shop.pawl("resume")).toMatchObject({ code: 0 });
    expect(shop.commits()).toEqual(["step-1", "step-2", "step-3"]);
    expect(shop.starts("step-1")).toBe(1);
  });

  it("ends a run of three workers with its own code, whatever each is at", async () => {
    const steps = Array.from({ length: 9 }, (_, index) => ({ number: String(index + 1), tasks: ["dig"] }));
    const shop = runShop(steps);
    let [args, rounds] = [["run", "plan.md", "--workers", "3", ...AGENT], 0];
    for (; rounds < 6; rounds += 1) {
      const job = shop.startJob(...args);
      const stderr = stderrOf(job);
      await until(() => stderr().includes("committed") || job.child.exitCode !== null);
      if (job.child.exitCode === null) send(job, "SIGINT");
      const { code, signal, stderr: said } = await job.ended;
      expect([0, 130], said).toContain(code);
      expect(signal).toBe(null);
      expect(said).not.toContain("error[");
      if (code === 0) break;
      args = ["resume"];
    }
    expect(shop.query("select max(verification_attempts) as n from steps")).toEqual([{ n: 1 }]);
  });
});

it("a git that is killed has not answered: the step is taken up again, and nothing counts against it", async () => {
  const shop = runShop(THREE);
  writeFileSync(
    join(shop.repo.path, ".git/hooks/post-commit"),
    `#!/bin/sh\nif mkdir ${shop.path("first")} 2>/dev/null; then kill -9 $PPID; fi\n`,
    { mode: 0o755 },
  );
  const { code, stderr } = await shop.run();
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("ended by SIGKILL") });
  expect(shop.commits()).toEqual(["step-1", "step-2", "step-3"]);
  expect(shop.starts("step-1")).toBe(1);
  expect(shop.query("select max(verification_attempts) as n from steps")).toEqual([{ n: 1 }]);
});
