import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * `npm run test:landings [-- --plans N] [-- --seed N] [-- --from N] [-- --keep]`: random plans with planted conflicts, 1 to 8 workers,
 * and kills of runner, check and git. Afterwards every commit of the plan's branch must have a passing verdict for its own
 * tree and pass the check, and every step must have landed once.
 */

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../../", import.meta.url));
const PAWL = [process.execPath, join(root, "dist/pawl.cjs")];
const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? otherwise : Number(process.argv[at + 1]);
};
const plans = option("plans", 20);
const seed = option("seed", Math.floor(Math.random() * 2 ** 31));
/** The first one's number, to go on with the same seed or to see one plan again. */
const from = option("from", 1);
const keep = process.argv.includes("--keep");

function randomOf(start) {
  let state = start >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return { next, below: (limit) => Math.floor(next() * limit), chance: (share) => next() < share };
}

/** Steps that rename what others call, and lists that several write to. */
function makeSteps(random) {
  const count = 3 + random.below(8);
  const ids = Array.from({ length: 1 + random.below(3) }, (_, index) => `f${index}`);
  const steps = {};
  const texts = [];
  for (let number = 1; number <= count; number += 1) {
    const anchor = `step-${number}`;
    const dependsOn = number > 1 && random.chance(0.3) ? [`step-${1 + random.below(number - 1)}`] : [];
    steps[anchor] = {
      calls: ids.filter(() => random.chance(0.5)),
      renames: random.chance(0.3) ? [{ id: ids[random.below(ids.length)], to: `name${number}` }] : [],
      lists: random.chance(0.2) ? [random.below(2)] : [],
      commits: random.chance(0.15),
      pauseMs: random.below(120),
    };
    texts.push(
      `#### Step ${number}: Work ${number} {#${anchor}}\n`,
      ...(dependsOn.length > 0 ? [`**Depends on:** ${dependsOn.map((one) => `#${one}`).join(", ")}\n`] : []),
      `**Commit:** \`Work ${number}\`\n`,
      `**Tasks:**\n- [ ] do it\n`,
    );
  }
  return { ids, steps, text: `# Plan\n\n${texts.join("\n")}` };
}

const git = (cwd, ...args) => {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout.trim();
};

function makeRepository(folder, { ids, text }, settings) {
  const repo = join(folder, "repo");
  mkdirSync(join(repo, "src"), { recursive: true });
  git(repo, "init", "-q", "-b", "main");
  git(repo, "config", "user.name", "Ada");
  git(repo, "config", "user.email", "ada@example.org");
  for (const id of ids) writeFileSync(join(repo, `src/lib-${id}.txt`), `def first_${id} ${id}\n`);
  cpSync(join(here, "check.mjs"), join(repo, "check.mjs"));
  writeFileSync(join(repo, "plan.md"), text);
  writeFileSync(join(repo, "pawl.toml"), settings);
  git(repo, "add", "-A");
  git(repo, "commit", "-qm", "plan");
  return repo;
}

/** The processes below one, with their command lines. */
function below(pid) {
  const found = [];
  for (const name of readdirSync("/proc").filter((one) => /^\d+$/.test(one)))
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
      const line = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
      found.push({ pid: Number(name), parent, line });
    } catch {
      // It ended while it was read.
    }
  const inside = new Set([pid]);
  for (let size = 0; size !== inside.size;) {
    size = inside.size;
    for (const one of found) if (inside.has(one.parent)) inside.add(one.pid);
  }
  inside.delete(pid);
  return found.filter((one) => inside.has(one.pid));
}

const kill = (pid) => {
  try {
    process.kill(pid, "SIGKILL");
    return true;
  } catch {
    return false;
  }
};

/** Starts a command, and kills it or something below it when its time has come. */
async function runKilled(repo, env, args, victim) {
  const child = spawn(PAWL[0], [...PAWL.slice(1), ...args], {
    cwd: repo,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (text) => (output += text));
  child.stderr.on("data", (text) => (output += text));
  const ended = new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal })));
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  let killed = false;
  if (victim) {
    const due = Date.now() + victim.afterMs;
    while (!isOver() && !killed) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (Date.now() < due) continue;
      if (victim.what === "runner") killed = kill(child.pid);
      else {
        const wanted = victim.what === "check" ? /check\.mjs/ : /^git |\/git /;
        const found = below(child.pid).filter(({ line }) => wanted.test(line));
        if (found.length > 0) killed = kill(found[0].pid);
      }
    }
  }
  return { ...(await ended), killed, output };
}

/** No rows where a kill came before there was a database. */
function query(repo, sql) {
  if (!existsSync(join(repo, ".git/pawl/state.db"))) return [];
  const program = `const { DatabaseSync } = require("@photostructure/sqlite");
    const db = new DatabaseSync(process.argv[1], { readOnly: true });
    console.log(JSON.stringify(db.prepare(process.argv[2]).all()));`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["-e", program, join(repo, ".git/pawl/state.db"), sql],
    { cwd: root, encoding: "utf8" },
  );
  // Or before the database had its tables, or in the transaction that makes them: only a writer may roll that back.
  if (/no such table|READONLY/.test(stderr)) return [];
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

/** What is wrong with a branch, in words. */
function faultsOf(repo, folder, steps) {
  const faults = [];
  const passed = new Set(
    query(repo, "select tree from tree_verdicts where outcome = 'passed'").map(({ tree }) => tree),
  );
  const commits = git(repo, "rev-list", "--reverse", "main..pawl/plan").split("\n").filter(Boolean);
  const seen = new Map();
  for (const commit of commits) {
    const tree = git(repo, "rev-parse", `${commit}^{tree}`);
    const about = git(repo, "log", "-1", "--format=%s", commit);
    if (!passed.has(tree))
      faults.push(`${commit.slice(0, 10)} (${about}) has no passing verdict for its tree`);
    const checkout = join(folder, "look");
    rmSync(checkout, { recursive: true, force: true });
    mkdirSync(checkout);
    const archive = spawnSync("git", ["archive", commit], { cwd: repo, maxBuffer: 1 << 26 });
    spawnSync("tar", ["-x", "-C", checkout], { input: archive.stdout });
    const { status, stdout } = spawnSync(process.execPath, ["check.mjs"], {
      cwd: checkout,
      encoding: "utf8",
    });
    if (status !== 0) faults.push(`${commit.slice(0, 10)} (${about}) fails its check: ${stdout.trim()}`);
    const step = git(repo, "log", "-1", "--format=%(trailers:key=Pawl-Step,valueonly)", commit).trim();
    if (step !== "") seen.set(step, (seen.get(step) ?? 0) + 1);
  }
  for (const [step, { lists, renames }] of Object.entries(steps)) {
    if (seen.get(step) !== 1) faults.push(`${step} landed ${seen.get(step) ?? 0} times`);
    const has = (file, line) =>
      spawnSync("git", ["show", `pawl/plan:${file}`], { cwd: repo, encoding: "utf8" }).stdout.includes(line);
    if (!has(`src/${step}.txt`, "def own_")) faults.push(`the work of ${step} is not on the branch`);
    for (const list of lists)
      if (!has(`src/list-${list}.txt`, `item ${step}\n`)) faults.push(`${step} is missing in list ${list}`);
    void renames;
  }
  return faults;
}

async function campaign(number) {
  const random = randomOf(seed + number * 7919);
  const folder = mkdtempSync(join(tmpdir(), "pawl-landings-"));
  const plan = makeSteps(random);
  const style = random.chance(0.25) ? '[landing]\nstyle = "merge"\n' : "";
  const clean = random.chance(0.2) ? "clean = false\n" : "";
  const settings = `[verify]\ncommand = ["${process.execPath}", "check.mjs"]\n${clean}${style}`;
  const repo = makeRepository(folder, plan, settings);
  const spec = join(folder, "campaign.json");
  writeFileSync(spec, JSON.stringify({ steps: plan.steps, pawl: PAWL }));
  const env = { ...process.env, CAMPAIGN: spec, CHECK_MS: String(random.below(80)), PAWL_STATE_DIR: "" };
  delete env.PAWL_STATE_DIR;
  const workers = 1 + random.below(8);
  const command = [
    "run",
    "plan.md",
    "--workers",
    String(workers),
    "--auto-continue",
    "--",
    process.execPath,
    join(here, "agent.mjs"),
  ];
  const log = [];
  let kills = 0;
  let done = false;
  for (let round = 0; round < 25 && !done; round += 1) {
    const victim =
      kills < 6 && random.chance(0.7)
        ? { what: ["runner", "check", "git"][random.below(3)], afterMs: random.below(1500) }
        : undefined;
    const { code, signal, killed, output } = await runKilled(repo, env, command, victim);
    if (killed) kills += 1;
    log.push(
      `--- round ${round} ${victim ? `kill ${victim.what} ${victim.afterMs}` : ""} killed=${killed} exit ${code ?? signal}\n${output}`,
    );
    if (code === 5) {
      // A person would retry what waits.
      for (const { anchor } of query(repo, "select anchor from steps where status = 'blocked'"))
        spawnSync(PAWL[0], [...PAWL.slice(1), "state", "retry", "plan.md", anchor], { cwd: repo, env });
      spawnSync(PAWL[0], [...PAWL.slice(1), "recover", "--auto"], { cwd: repo, env });
    }
    const [left] = query(repo, "select count(*) as total, sum(status <> 'completed') as open from steps");
    done = left !== undefined && left.total > 0 && left.open === 0;
  }
  const faults = done ? faultsOf(repo, folder, plan.steps) : ["not all steps are completed"];
  const count = Object.keys(plan.steps).length;
  const verified = query(repo, "select count(*) as n from tree_verdicts")[0].n;
  const sent = query(repo, "select count(*) as n from events where event = 'rejected'")[0].n;
  console.log(
    `${number}: ${count} steps, ${workers} workers, ${kills} kills, ${verified} verifications, ${sent} rejections${style ? ", merge" : ""}${clean ? ", in place" : ""}: ${faults.length === 0 ? "ok" : faults.join("; ")}`,
  );
  if (faults.length > 0) writeFileSync(join(folder, "log.txt"), log.join("\n"));
  if (faults.length === 0 || !keep) rmSync(folder, { recursive: true, force: true });
  else console.log(`   kept in ${folder}`);
  return { faults: faults.length, count, kills, verified };
}

if (!existsSync(PAWL[1])) throw new Error("Build first: npm run build");
console.log(`seed ${seed}`);
const sums = { faults: 0, count: 0, kills: 0, verified: 0 };
for (let number = from; number < from + plans; number += 1) {
  const one = await campaign(number);
  for (const key of Object.keys(sums)) sums[key] += one[key];
}
console.log(
  `${plans} plans, ${sums.count} steps, ${sums.kills} kills, ${(sums.verified / sums.count).toFixed(2)} verifications per step: ${sums.faults} faults`,
);
process.exitCode = sums.faults === 0 ? 0 : 1;
