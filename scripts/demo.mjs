// A minute with Pawl in a throw-away repository: three agents on a plan, the runner killed in the middle, nothing lost.
// The agents are scripted; everything else is real. `--fast` leaves the pauses out.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { STEPS, script } from "./demo-world.mjs";

const isFast = process.argv.includes("--fast");
const PAWL = fileURLToPath(new URL("../dist/pawl.cjs", import.meta.url));
const AGENT = fileURLToPath(new URL("../test/support/scripted-agent/scripted-agent.mjs", import.meta.url));

/** So many steps are done when the runner is killed: the others are in all kinds of states then. */
const KILLED_AFTER = 4;

const home = mkdtempSync(join(tmpdir(), "pawl-demo-"));
const repo = join(home, "shop");
/** There once the runner was killed. */
const KILLED = join(home, "killed");
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:PAWL|GIT)_/.test(name))),
  SCRIPTED_AGENT: join(home, "script.json"),
};
/** What is running now, in case a person presses Ctrl-C. */
let running;

process.on("SIGINT", () => void leave(130));
process.on("SIGTERM", () => void leave(143));

try {
  setUp();
  tell(`A repository with a plan of ${STEPS} steps, and three agents that are scripted to work on it.`);
  pawl("plan", "graph", "plan.md");
  tell(
    "Three workers, each in a worktree of its own. What passes its check is committed, signed and merged.",
  );
  await runUntilKilled();
  tell("The runner is gone, in the middle of its work. This is what is known of it:");
  pawl("status");
  tell("Resume: agents left behind are stopped, half-done work is kept, what is finished stays finished.");
  await resume();
  tell("Every step once, each commit with its step and its signature:");
  git(
    "log",
    "--format=%h  %<(22)%s  %(trailers:key=Pawl-Step,key=Pawl-Claim,separator=%x2C%x20)",
    "--no-merges",
    "pawl/plan",
  );
  tell(
    "Where the time went. One step failed its check first; the agent received the reason, and the second try passed:",
  );
  pawl("sessions", "show", sessionOf("step-8"));
  tell("Your own plan:");
  console.log("  npm run package && npm install --global ./pawl-*.tgz   # `pawl` on your path");
  console.log(
    "  pawl plan check your-plan.md              # Markdown with steps, a checklist, or a spec folder",
  );
  console.log(
    "  pawl run your-plan.md --agent claude      # or codex, gemini, aider, opencode, or -- your-program",
  );
} finally {
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

function setUp() {
  const { status, stderr } = spawnSync(process.execPath, [PAWL, "demo", repo], { env, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  writeFileSync(env.SCRIPTED_AGENT, JSON.stringify(script(isFast, KILLED)));
}

/** The live view is Pawl's own, on this terminal; it is killed as anything might kill it. */
async function runUntilKilled() {
  const ended = follow("run", "plan.md", "--workers", "3", "--", process.execPath, AGENT);
  while (running.exitCode === null && !isInTheMiddle()) await pause(isFast ? 50 : 150);
  running.kill("SIGKILL");
  writeFileSync(KILLED, "");
  console.log(`\n$ kill -9 ${running.pid}`);
  await ended;
}

/** A person who kills this one too sees it resumed again. */
async function resume() {
  for (let left = 3; left > 0; left -= 1) if ((await follow("resume")) === 0) return;
  throw new Error("The run could not be resumed to its end.");
}

function isInTheMiddle() {
  const { stdout } = call(["state", "show", "plan.md", "--json"]);
  try {
    const { steps } = JSON.parse(stdout).data.plan;
    const count = (wanted) => steps.filter(({ status }) => status === wanted).length;
    return count("completed") >= KILLED_AFTER && count("in_progress") >= 2;
  } catch {
    // The plan has no state yet.
    return false;
  }
}

function sessionOf(step) {
  const { sessions } = JSON.parse(call(["sessions", "list", "--json"]).stdout).data;
  const checkpoints = ({ id }) =>
    JSON.parse(call(["sessions", "show", id, "--json"]).stdout).data.session.checkpoints;
  const found = sessions.find((session) => checkpoints(session).some(({ anchor }) => anchor === step));
  return found.id.slice(0, 10);
}

function follow(...args) {
  console.log(`\n$ pawl ${shown(args)}`);
  running = spawn(process.execPath, [PAWL, ...args], { cwd: repo, env, stdio: "inherit" });
  return new Promise((resolve) => {
    running.once("exit", resolve);
  });
}

function pawl(...args) {
  console.log(`\n$ pawl ${shown(args)}`);
  spawnSync(process.execPath, [PAWL, ...args], { cwd: repo, env, stdio: "inherit" });
}

function git(...args) {
  console.log(`\n$ git ${args[0]} ${args.at(-1)}`);
  process.stdout.write(spawnSync("git", args, { cwd: repo, env, encoding: "utf8" }).stdout);
}

function call(args) {
  return spawnSync(process.execPath, [PAWL, ...args], { cwd: repo, env, encoding: "utf8" });
}

/** The agent's own words are of no interest here. */
function shown(args) {
  return args
    .map((word) => (word === AGENT ? "scripted-agent" : word.replace(process.execPath, "node")))
    .join(" ");
}

function tell(text) {
  console.log(`\n${process.stdout.isTTY ? `\x1b[1m${text}\x1b[0m` : text}`);
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A run that hears the signal too stops its agents; it is waited for, because its files are here. */
async function leave(code) {
  if (running?.exitCode === null && running.signalCode === null) {
    running.kill("SIGTERM");
    await new Promise((resolve) => running.once("exit", resolve));
  }
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  process.exit(code);
}
