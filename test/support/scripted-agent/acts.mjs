// What the scripted agent can do: one function for each act of a script.
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

/** Thrown by acts after which there is nothing more to do: the last lines, and the exit code. */
export class End extends Error {
  constructor(lines, code) {
    super("the script ends here");
    this.lines = lines;
    this.code = code;
  }
}

/** The key of an act is its name; the whole act is given, because some have further fields. */
export const ACTS = {
  say: ({ say }, { voice, fill, print }) => print(voice.say(fill(say))),
  tool: ({ tool, detail = "" }, { voice, fill, print }) => print(voice.tool(tool, fill(detail))),

  write({ write, text = "{unique}\n" }, { fill, voice, print }) {
    change(fill(write), (path) => writeFileSync(path, fill(text)));
    print(voice.tool("Write", fill(write)));
  },
  append({ append, text = "{unique}\n" }, { fill, voice, print }) {
    change(fill(append), (path) => appendFileSync(path, fill(text)));
    print(voice.tool("Edit", fill(append)));
  },
  remove: ({ remove }, { fill }) => rmSync(fill(remove)),
  turn({ turn, from, to, isPart = false, note }, { voice, print }) {
    const found = existsSync(turn) ? readFileSync(turn, "utf8") : null;
    const has = (text) => (isPart ? text !== null && found?.includes(text) === true : found === text);
    // An earlier start may have done it.
    if (has(to)) return;
    if (!has(from)) {
      const wrong = { step: process.env["PAWL_STEP"], turn, from, to, found };
      if (note !== undefined) appendFileSync(note, `${JSON.stringify(wrong)}\n`);
      throw new End(voice.fail(`${turn} is not as it should be`), 1);
    }
    if (to === null) rmSync(turn);
    else change(turn, (path) => writeWhole(path, isPart ? found.replace(from, () => to) : to));
    print(voice.tool("Edit", turn));
  },

  tick({ tick }, context) {
    if (tick === "prompt") return tickAsAsked(context);
    const { PAWL_PLAN, PAWL_STEP, PAWL_WORKTREE } = process.env;
    if (PAWL_PLAN === undefined || PAWL_STEP === undefined) return;
    const where = PAWL_WORKTREE === undefined ? [] : ["--worktree", PAWL_WORKTREE];
    callPawl(["state", "update", PAWL_PLAN, PAWL_STEP, ...where, "--all", "completed"], context);
  },
  git({ git, in: cwd = "." }, { fill, voice, print }) {
    mkdirSync(fill(cwd), { recursive: true });
    const { stderr } = spawnSync("git", git.map(fill), { cwd: fill(cwd), encoding: "utf8" });
    print(voice.tool("git", `${git.join(" ")} ${stderr}`));
  },
  sh({ sh }, { fill, voice, print }) {
    const { stderr } = spawnSync("/bin/sh", ["-c", fill(sh)], { encoding: "utf8" });
    print(voice.tool("sh", `${sh} ${stderr}`));
  },
  pawl: ({ pawl }, context) => callPawl(pawl.map(context.fill), context),

  pause: ({ pause }) => new Promise((resolve) => setTimeout(resolve, pause)),
  async waitFor({ waitFor }, { fill }) {
    while (!existsSync(fill(waitFor))) await new Promise((resolve) => setTimeout(resolve, 10));
  },
  hang: () => new Promise(() => setInterval(() => undefined, 1 << 30)),

  ignore({ ignore, note }, { fill }) {
    const heard = () => note !== undefined && writeFileSync(fill(note), "");
    for (const signal of ignore) process.on(signal, heard);
  },
  killParent: () => void process.kill(process.ppid, "SIGKILL"),
  child({ child, clear = false }, { fill }) {
    const options = clear ? { detached: true, stdio: "ignore", env: {} } : { stdio: "inherit" };
    writeFileSync(fill(child), String(spawn(process.execPath, ["-e", FOR_EVER], options).pid));
  },
  /** Twice removed, so that its parent is gone when Pawl checks. */
  daemon({ daemon, clear = false, mute = false }, { fill }) {
    const path = JSON.stringify(fill(daemon));
    const middle = `const { pid } = require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(FOR_EVER)}],
      { detached: true, stdio: ["ignore", ${clear && !mute ? '"inherit", "inherit"' : '"ignore", "ignore"'}], env: ${clear ? "{}" : "process.env"} });
      require("fs").writeFileSync(${path}, String(pid)); process.exit(0)`;
    spawnSync(process.execPath, ["-e", middle], { stdio: "inherit" });
  },

  flood({ flood, line = 100, to = "stdout" }) {
    const text = Buffer.from(`${"x".repeat(line - 1)}\n`);
    const chunk = Buffer.concat(Array.from({ length: Math.max(1, Math.floor(65_536 / line)) }, () => text));
    for (let left = flood; left > 0; left -= chunk.length)
      printBytes(to === "stderr" ? 2 : 1, chunk.subarray(0, left));
  },
  binary: ({ binary }) => printBytes(1, randomBytes(binary)),
  escapes: (_act, { print }) =>
    print(["\u001b[2J\u001b]0;title\u0007\u001b]52;c;aGk=\u0007\u009b31m\u202eevil\r\u0000 end"]),

  limit({ limit: { at, inSeconds = 60 } }, { voice, codeOf }) {
    const resetsAt = at ?? Math.ceil(Date.now() / 1000) + inSeconds;
    throw new End(voice.limit(resetsAt), codeOf("limit"));
  },
  unauthorised(_act, { voice, codeOf }) {
    throw new End(voice.unauthorised(), codeOf("unauthorised"));
  },
  contextExhausted(_act, { voice, codeOf }) {
    throw new End(voice.contextExhausted(), codeOf("contextExhausted"));
  },
  offline(_act, { voice, codeOf }) {
    throw new End(voice.offline(), codeOf("offline"));
  },
  fail({ fail }, { voice }) {
    throw new End(voice.fail(fail), 1);
  },
  exit({ exit }) {
    throw new End([], exit);
  },
  die({ die }) {
    process.kill(process.pid, die);
    return new Promise(() => setInterval(() => undefined, 1 << 30));
  },
};

/** Every command that the prompt names for an item; none of their words has a blank in it. */
function tickAsAsked(context) {
  for (const [, words] of context.prompt.matchAll(/`pawl (state update \S+ \S+ --\w+ \d+ completed)`/g))
    callPawl(words.replaceAll("'", "").split(" "), context);
}

const FOR_EVER = "setInterval(() => undefined, 1 << 30)";

function change(path, act) {
  mkdirSync(dirname(path), { recursive: true });
  act(path);
}

/** A kill leaves the file as it was or as it is to be. What is written first lies beside the script, in no worktree. */
function writeWhole(path, text) {
  const aside = `${process.env["SCRIPTED_AGENT"]}.aside-${process.pid}`;
  writeFileSync(aside, text);
  renameSync(aside, path);
}

function callPawl(args, { voice, print }) {
  const [program, ...first] = (process.env["SCRIPTED_AGENT_PAWL"] ?? "pawl").split("\n");
  const { status, stdout, stderr, error } = spawnSync(program, [...first, ...args], { encoding: "utf8" });
  if (error) throw error;
  print(voice.tool("pawl", args.join(" ")));
  if (status !== 0) print(voice.say(`pawl ended with ${status}: ${stdout}${stderr}`));
}

/** All of it, in order, whatever the pipe takes at a time. */
export function printBytes(fd, bytes) {
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(fd, bytes, written);
    } catch (error) {
      if (error.code === "EPIPE") process.exit(141);
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
