import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { PAWL, pawl } from "../support/cli.ts";
import { planText, type StepSpec } from "../support/plans.ts";
import { cleanEnv } from "../support/repository.ts";
import { until } from "../support/until.ts";
import { type Clone, clones, PLAN } from "./clones.ts";
import { sharedServer } from "./shared-server.ts";

/**
 * Three machines, one server, one bare remote, and no person who pushes: every step is done once, the remote's branch has all
 * of them, and the check passes there.
 *
 * `npm run test:clones` is the long version: 60 steps, more kills, and a remote that is away for a minute.
 */

const shared = sharedServer();
const STEPS = Number(process.env["PAWL_CLONE_STEPS"] ?? "8");
const TIMEOUT_MS = 180_000 + STEPS * 12_000;
const AWAY_MS = STEPS < 60 ? 5_000 : 60_000;
const HOSTS = ["host-a", "host-b", "host-c"] as const;

/** Each builds on one of the three before it, so that machines wait for each other. */
const stepsOf = (count: number): readonly StepSpec[] =>
  Array.from({ length: count }, (_, index) => ({
    number: String(index + 1),
    tasks: ["dig"],
    ...(index < 2
      ? {}
      : { dependsOn: [`step-${index + 1 - (1 + (index % 3))}`.replace("step-0", "step-1")] }),
  }));

/** Every step's file names those that it builds on, and all of them must be there. */
const CHECK = `set -e
for file in work/*.txt; do
  [ -e "$file" ] || continue
  for needed in $(cat "$file"); do
    [ -e "work/$needed.txt" ] || { echo "$file lacks $needed"; exit 1; }
  done
done
`;

interface World {
  readonly machines: readonly Clone[];
  readonly remote: string;
  /** Git on the bare remote. */
  readonly there: (...args: readonly string[]) => string;
  /** Anchors of steps on the remote's branch. */
  readonly pushed: () => readonly string[];
  readonly start: (machine: Clone) => Running;
}

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
}

function world(count = STEPS): World {
  const steps = stepsOf(count);
  const all = clones(shared.url, planText(steps));
  onTestFinished(all.remove);
  const first = all.clone("setup");
  writeFileSync(join(first.path, "check.sh"), CHECK);
  writeFileSync(
    join(first.path, "pawl.toml"),
    'remote = "origin"\n[verify]\ncommand = ["sh", "check.sh"]\n[landing]\nwait = "2m"\n',
  );
  first.git("add", "-A");
  first.git("commit", "-q", "-m", "a check");
  first.git("push", "-q", "origin", "HEAD:main");
  const home = join(first.path, "..");
  const needs = steps.map(({ number, dependsOn = [] }) => `step-${number}) needs="${dependsOn.join(" ")}";;`);
  const agent = join(home, "agent.sh");
  writeFileSync(
    agent,
    `#!/bin/sh\ncase "$PAWL_STEP" in\n${needs.join("\n")}\nesac\necho "$PAWL_STEP" >> '${home}/worked'\nmkdir -p work && echo "$needs" > "work/$PAWL_STEP.txt"\npawl state update "$PAWL_PLAN" "$PAWL_STEP" --all completed\n`,
    { mode: 0o755 },
  );
  const remote = join(home, "remote.git");
  const there = (...args: readonly string[]) =>
    execFileSync("git", ["-C", remote, ...args], { encoding: "utf8", env: cleanEnv(), stdio: "pipe" }).trim();
  const machines = HOSTS.map((host) => all.clone(host));
  expect(pawl({ cwd: machines[0]!.path, env: machines[0]!.env }, "state", "init", PLAN).code).toBe(0);
  return {
    machines,
    remote,
    there,
    pushed: () => anchorsOn(there),
    start: (machine) => startRun(machine, agent),
  };
}

function anchorsOn(there: World["there"]): readonly string[] {
  try {
    const format = "--format=%(trailers:key=Pawl-Step,valueonly,separator=%x2C)";
    return there("log", "--no-merges", format, "main..pawl/plan", "--")
      .split("\n")
      .filter((line) => line !== "");
  } catch {
    return [];
  }
}

function startRun(machine: Clone, agent: string): Running {
  const child = spawn(process.execPath, [PAWL, "run", PLAN, "--workers", "1", "--", agent], {
    cwd: machine.path,
    env: cleanEnv(machine.env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
  onTestFinished(() => void (child.exitCode === null && child.kill("SIGKILL")));
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, output }));
  });
  return { child, ended };
}

/** After how many steps something happens once more, in the long version. */
const every = (count: number): readonly number[] =>
  Array.from({ length: Math.floor(STEPS / count) - 1 }, (_, index) => count * (index + 1)).filter(
    (at) => at > 5,
  );

const untilPushed = (all: World, count: number, isOver = (): boolean => false): Promise<void> =>
  until(() => isOver() || all.pushed().length >= count, `${count} steps are pushed`, TIMEOUT_MS);

/** All steps on the remote's branch, once each; the check passes in a fresh clone of it; no tree there is unverified. */
async function expectAllLanded({ remote, there, pushed, machines }: World, count = STEPS): Promise<void> {
  const wanted = Array.from({ length: count }, (_, index) => `step-${index + 1}`);
  expect(pushed().toSorted()).toEqual(wanted.toSorted());
  const fresh = join(remote, "..", "fresh");
  execFileSync("git", ["clone", "-q", "-b", "pawl/plan", remote, fresh], { env: cleanEnv() });
  execFileSync("sh", ["check.sh"], { cwd: fresh, env: cleanEnv() });
  const files = there("ls-tree", "-r", "--name-only", "pawl/plan").split("\n");
  expect(files).toEqual(expect.arrayContaining(wanted.map((step) => `work/${step}.txt`)));
  const { path, env } = machines[0]!;
  const ready = JSON.parse(pawl({ cwd: path, env }, "state", "ready", PLAN, "--json").stdout) as {
    data: { completed: readonly unknown[] };
  };
  expect(ready.data.completed).toHaveLength(count);
}

const allEnd = async (running: readonly Running[]): Promise<void> => {
  for (const { code, output } of await Promise.all(running.map(({ ended }) => ended)))
    expect(code, output).toBe(0);
};

test(
  "three machines land all steps on the remote, and no person pushes",
  async () => {
    const all = world();
    await allEnd(all.machines.map(all.start));
    await expectAllLanded(all);
  },
  TIMEOUT_MS,
);

test(
  "with runs that are killed",
  async () => {
    const all = world();
    const [a, b, c] = all.machines as [Clone, Clone, Clone];
    const others = [all.start(a), all.start(b)];
    let kills = 0;
    for (const most of [1, 2, 4, ...every(5)]) {
      const { child, ended } = all.start(c);
      await untilPushed(all, most, () => child.exitCode !== null);
      if (child.kill("SIGKILL")) kills += 1;
      await ended;
    }
    await allEnd([...others, all.start(c)]);
    console.log(`${STEPS} steps, ${kills} kills`);
    await expectAllLanded(all);
  },
  TIMEOUT_MS,
);

test(
  "with a remote that is away for a while",
  async () => {
    const all = world();
    const running = all.machines.map(all.start);
    await untilPushed(all, 2);
    renameSync(all.remote, `${all.remote}.away`);
    await new Promise((go) => setTimeout(go, AWAY_MS));
    renameSync(`${all.remote}.away`, all.remote);
    await allEnd(running);
    await expectAllLanded(all);
  },
  TIMEOUT_MS,
);

test(
  "with a server that refuses now and then",
  async () => {
    const all = world();
    const count = join(all.remote, "..", "received");
    const hook = join(all.remote, "hooks/pre-receive");
    // Three of ten, in an order that is the same each time.
    writeFileSync(
      hook,
      `#!/bin/sh\necho x >> '${count}'\nn=$(wc -l < '${count}')\n[ $(( (n * 7919 + 13) % 10 )) -ge 3 ] || { echo "try later"; exit 1; }\n`,
    );
    chmodSync(hook, 0o755);
    await allEnd(all.machines.map(all.start));
    await expectAllLanded(all);
  },
  TIMEOUT_MS,
);

test(
  "with a person who pushes to the base",
  async () => {
    const all = world();
    const running = all.machines.map(all.start);
    const person = join(all.remote, "..", "person");
    execFileSync("git", ["clone", "-q", all.remote, person], { env: cleanEnv() });
    for (const at of [1, 3, 5, ...every(10)]) {
      await untilPushed(all, at);
      writeFileSync(join(person, `person-${at}.txt`), "a person's\n");
      for (const args of [
        ["add", "-A"],
        ["commit", "-q", "-m", "by a person"],
        ["push", "-q", "origin", "main"],
      ])
        execFileSync("git", ["-C", person, ...args], { env: cleanEnv() });
    }
    await allEnd(running);
    await expectAllLanded(all);
  },
  TIMEOUT_MS,
);

/** A machine whose run is killed at its push: before it, or right after it has arrived. */
async function killedAtPush(all: World, machine: Clone, isPushed: boolean): Promise<void> {
  const tools = join(all.remote, "../tools");
  mkdirSync(tools);
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const git = `#!/bin/sh
for word; do
  [ "$word" = push ] || continue
  ${isPushed ? `'${real}' "$@"` : ":"}
  kill -9 "$(cat '${tools}/run')"
  exit 1
done
exec '${real}' "$@"
`;
  writeFileSync(join(tools, "git"), git, { mode: 0o755 });
  const env = { ...machine.env, PATH: `${tools}:${process.env["PATH"]}` };
  const { child, ended } = all.start({ ...machine, env });
  writeFileSync(join(tools, "run"), String(child.pid));
  await ended;
}

test.each([
  { when: "before its push", isPushed: false },
  { when: "right after its push", isPushed: true },
])(
  "another machine continues beside one that was killed $when",
  async ({ isPushed }) => {
    const all = world(3);
    const [a, b, c] = all.machines as [Clone, Clone, Clone];
    const agent = join(all.remote, "../agent.sh");
    pawl({ cwd: b.path, env: b.env }, "run", PLAN, "--max-steps", "1", "--", agent);
    await killedAtPush(all, c, isPushed);
    expect(all.pushed()).toEqual(isPushed ? ["step-2", "step-1"] : ["step-1"]);
    // As after many steps: git keeps what it fetched in packs, which only git reads.
    a.git("config", "fetch.unpackLimit", "1");
    const at = { cwd: a.path, env: a.env };
    pawl(at, "state", "hold", PLAN, "step-2", "--reason", "its machine is gone");
    const { output } = await all.start(a).ended;
    expect(output).not.toContain("E085");
    pawl(at, "state", "retry", PLAN, "step-2");
    await allEnd([all.start(a)]);
    await expectAllLanded(all, 3);
    const worked = readFileSync(join(all.remote, "../worked"), "utf8").split("\n");
    expect(worked.filter((step) => step === "step-2")).toHaveLength(isPushed ? 1 : 2);
  },
  TIMEOUT_MS,
);

test(
  "what recovery lands for a killed machine reaches the remote, although no step follows it",
  async () => {
    const all = world(3);
    const [a, b, c] = all.machines as [Clone, Clone, Clone];
    const one = ["run", PLAN, "--max-steps", "1", "--", join(all.remote, "../agent.sh")];
    pawl({ cwd: b.path, env: b.env }, ...one);
    await killedAtPush(all, c, false);
    pawl({ cwd: a.path, env: a.env }, ...one);
    expect(all.pushed()).toEqual(["step-3", "step-1"]);
    await allEnd([all.start(c)]);
    await expectAllLanded(all, 3);
    const worked = readFileSync(join(all.remote, "../worked"), "utf8").trim().split("\n");
    expect(worked.toSorted()).toEqual(["step-1", "step-2", "step-3"]);
  },
  TIMEOUT_MS,
);
