// A minute with Pawl in a throw-away repository: a plan, three workers, one of them killed, nothing lost.
import { execFileSync, fork, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PAWL = fileURLToPath(new URL("../dist/pawl.cjs", import.meta.url));
const LIBRARY = new URL("../dist/index.js", import.meta.url).href;

/** Runs as a worker process when started with an argument: claims, works a little, completes, until nothing is left. */
if (process.argv[2] === "worker") {
  const { openPawl } = await import(LIBRARY);
  const worktree = process.argv[3];
  const pawl = await openPawl({ cwd: worktree });
  const { id: session } = await pawl.openSession({ plan: "plan.md", worktree });
  const say = (text) => process.send?.(text);
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  for (;;) {
    const { claimed, allCompleted, anchor, claim, reclaimed } = await pawl.claim({
      plan: "plan.md",
      worktree,
      session,
    });
    if (allCompleted) break;
    if (!claimed) {
      await pause(50);
      continue;
    }
    const who = { plan: "plan.md", step: anchor, worktree, session, claim };
    say(`${reclaimed ? "took over" : "claimed"} ${anchor} (claim ${claim})`);
    await pawl.start(who);
    await pause(400);
    await pawl.update({ ...who, changes: [{ all: true, status: "completed" }] });
    await pawl.complete(who);
    say(`completed ${anchor}`);
  }
  process.exit(0);
}

const home = mkdtempSync(join(tmpdir(), "pawl-demo-"));
const repo = join(home, "repo");
const git = (...args) =>
  execFileSync(
    "git",
    ["-C", repo, "-c", "user.name=Demo", "-c", "user.email=demo@example.invalid", ...args],
    { stdio: "ignore" },
  );
const show = (...args) => {
  console.log(`\n$ pawl ${args.join(" ")}`);
  const { stdout, stderr } = spawnSync(process.execPath, [PAWL, ...args], { cwd: repo, encoding: "utf8" });
  process.stdout.write(stdout + stderr);
};

try {
  execFileSync("git", ["init", "-q", repo]);
  writeFileSync(join(repo, "plan.md"), plan());
  git("add", "-A");
  git("commit", "-q", "-m", "a plan");
  show("state", "init", "plan.md");

  console.log(
    "\nThree workers start, each in a worktree of its own. The first is killed in the middle of its step.",
  );
  const first = startWorker("one");
  // The others come once the first has a step, so that there is somebody to take over from.
  await first.claimed;
  const others = ["two", "three"].map((name) => startWorker(name));
  await Promise.all([first, ...others].map(({ ended }) => ended));

  show("state", "show", "plan.md");
  console.log(
    "\nEvery step was completed exactly once; the killed worker's step was taken over at once, not after its lease.",
  );
  console.log("Your own plan:  npm run pawl -- plan check <plan>   then   npm run pawl -- state init <plan>");
} finally {
  rmSync(home, { recursive: true, force: true });
}

function startWorker(name) {
  const worktree = join(home, name);
  git("worktree", "add", "-q", "-b", name, worktree);
  const child = fork(fileURLToPath(import.meta.url), ["worker", worktree], { cwd: worktree });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  const claimed = new Promise((resolve) => {
    child.on("message", (text) => {
      console.log(`  ${name.padEnd(6)} ${text}`);
      if (name === "one" && String(text).startsWith("claimed")) {
        console.log(`  ${name.padEnd(6)} kill -9`);
        child.kill("SIGKILL");
      }
      resolve();
    });
    // One that dies before it has anything to say must not keep the others waiting.
    child.on("exit", resolve);
  });
  return { claimed, ended };
}

function plan() {
  const steps = [
    ["0", "Lay the ground", []],
    ["1", "North wall", ["0"]],
    ["2", "South wall", ["0"]],
    ["3", "Roof", ["1", "2"]],
    ["4", "Windows", ["1"]],
    ["5", "Paint", ["3", "4"]],
  ];
  const text = steps.map(([number, title, needs]) =>
    [
      `#### Step ${number}: ${title} {#step-${number}}`,
      "",
      ...(needs.length > 0 ? [`**Depends on:** ${needs.map((need) => `#step-${need}`).join(", ")}`, ""] : []),
      "**Tasks:**",
      `- [ ] do the work of ${title.toLowerCase()}`,
      "",
      "**Tests:**",
      `- [ ] check ${title.toLowerCase()}`,
      "",
    ].join("\n"),
  );
  return ["## Phase 1.0: Build a house {#phase-house}", "", "### Execution Steps {#steps}", "", ...text].join(
    "\n",
  );
}
