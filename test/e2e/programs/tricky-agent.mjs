import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * An agent that means to write to another agent's step and to do what only people may.
 *
 * The file in TRICKS says what it tries, each in every disguise that it knows; the answers go beside it. Agents of other
 * steps wait until it is done.
 */
const { TRICKS, PAWL_PLAN: plan, PAWL_STEP: step, PAWL_SESSION: session, PAWL_WORKTREE: home } = process.env;
const { pawl, library, main, calls, operators, few } = JSON.parse(readFileSync(TRICKS, "utf8"));
const run = [process.execPath, pawl];
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const until = (file) => {
  for (let left = 6000; left > 0 && !existsSync(file); left -= 1) sleep(50);
};

const bare = { PATH: process.env.PATH };
const unset = Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== "PAWL_SESSION"));
let orphans = 0;

/** Its parent is gone before it calls: it is distinguished from a person's by other things than its ancestors. */
function orphan(args, { cwd, detached, keepsOutput }) {
  const out = `${TRICKS}.${(orphans += 1)}`;
  const redirected = keepsOutput ? '"$@"' : `"$@" > '${out}' 2>&1 < /dev/null`;
  const script = `(until test -e '${out}.go'; do sleep 0.02; done; ${redirected}; echo $? > '${out}.tmp'; mv '${out}.tmp' '${out}.rc') & exit 0`;
  const parent = spawn("sh", ["-c", script, "sh", ...run, ...args], {
    cwd,
    env: bare,
    detached,
    stdio: keepsOutput ? "inherit" : "ignore",
  });
  return new Promise((resolve) => {
    parent.on("exit", () => {
      writeFileSync(`${out}.go`, "");
      until(`${out}.rc`);
      resolve({
        code: Number(readFileSync(`${out}.rc`, "utf8")),
        text: keepsOutput ? "" : readFileSync(out, "utf8"),
      });
    });
  });
}

const told = (args, options) => {
  const { status, stdout, stderr } = spawnSync(run[0], [run[1], ...args], { encoding: "utf8", ...options });
  return { code: status, text: stdout + stderr };
};

/** From its own worktree where that proves nothing more, else from where people call. */
const DISGUISES = {
  "as it is": (args) => told(args, { cwd: home }),
  "without its session's name": (args) => told(args, { cwd: main, env: unset }),
  "without any environment": (args) => told(args, { cwd: main, env: bare }),
  "under another machine's name": (args) =>
    told(args, { cwd: main, env: { ...bare, PAWL_HOST_ID: "elsewhere" } }),
  "in a session of its own": (args) => told(args, { cwd: main, env: bare, detached: true }),
  "as an orphan in its group": (args) => orphan(args, { cwd: main, detached: false, keepsOutput: false }),
  "as an orphan with its output": (args) => orphan(args, { cwd: main, detached: true, keepsOutput: true }),
  "as an orphan in its worktree": (args) => orphan(args, { cwd: home, detached: true, keepsOutput: false }),
};

/** What a client says to the server and hears from it. */
function overMcp(env, [tool, args]) {
  const messages = [
    {
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
    },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/call", params: { name: tool, arguments: args } },
  ];
  const server = spawn(run[0], [run[1], "mcp"], { cwd: main, env, stdio: ["pipe", "pipe", "ignore"] });
  for (const message of messages) server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  let text = "";
  return new Promise((resolve) => {
    server.stdout.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
      if (text.includes('"id":2')) server.stdin.end();
    });
    server.on("exit", () => resolve({ code: text.includes('"isError":true') ? 4 : 0, text }));
  });
}

writeFileSync(`${TRICKS}.${step}`, "");
if (step !== "step-1") {
  until(`${TRICKS}.done`);
} else {
  until(`${TRICKS}.go`);
  const other = JSON.parse(readFileSync(`${TRICKS}.go`, "utf8"));
  const fill = (words) => words.map((word) => word.replace("{other}", other.worktree));
  const answers = [];
  // All of it where the environment is there or gone; the other ways to hide do not differ by verb.
  const tablesFor = (name) => (/environment|as it is/.test(name) ? [...calls, ...operators] : few);
  for (const [name, disguise] of Object.entries(DISGUISES)) {
    for (const words of tablesFor(name))
      answers.push({ what: `${words.join(" ")} (${name})`, ...(await disguise([...fill(words), "--json"])) });
  }
  const forged = {
    ...process.env,
    PAWL_SESSION: other.session,
    PAWL_WORKTREE: other.worktree,
    PAWL_STEP: "step-2",
  };
  for (const words of calls)
    answers.push({
      what: `${words.join(" ")} (under another's name)`,
      ...told([...fill(words), "--json"], { cwd: home, env: forged }),
    });
  const env = { ...bare, PAWL_STATE_DIR: `${TRICKS}.state` };
  for (const words of operators)
    answers.push({
      what: `${words.join(" ")} (with another database)`,
      ...told([...fill(words), "--json"], { cwd: main, env }),
    });
  const item = ["pawl_update", { items: [{ kind: "task", status: "completed" }] }];
  answers.push({ what: "MCP without a name", ...(await overMcp(bare, ["pawl_claim", { plan }])) });
  answers.push({ what: "MCP under another's name", ...(await overMcp(forged, item)) });
  const script = `const { openPawl } = await import(${JSON.stringify(library)});
    const pawl = await openPawl({ cwd: ${JSON.stringify(main)} });
    await pawl.reset({ plan: "plan.md", step: "step-2" }).then(() => process.exit(0), (e) => { console.log(e.code); process.exit(4); });`;
  const byLibrary = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
    env: bare,
  });
  answers.push({ what: "library", code: byLibrary.status, text: byLibrary.stdout + byLibrary.stderr });
  answers.push({
    what: "its own step",
    ...told(["state", "artifact", plan, step, "--kind", "auditor_summary", "--summary", session, "--json"], {
      cwd: home,
    }),
  });
  writeFileSync(`${TRICKS}.tmp2`, JSON.stringify(answers));
  renameSync(`${TRICKS}.tmp2`, `${TRICKS}.answers`);
  until(`${TRICKS}.done`);
}
mkdirSync(join(home, "work"), { recursive: true });
writeFileSync(join(home, "work", `${step}.txt`), `${step} ${dirname(home)}\n`);
told(["state", "update", plan, step, "--all", "completed"], { cwd: home });
