import { execFileSync, spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface WarmCall {
  readonly launcher: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
}

export interface WarmAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Commands that neither start agents nor stay, nor read what is piped to them, nor write down which process they are:
 * what `commit` and `recover` have begun is theirs until their process is gone.
 */
const ORDINARY: ReadonlySet<string> = new Set([
  "state", "plan", "sessions", "snapshot", "worktree", "doctor", "explain", "gc", "prime", "status",
]); // oxfmt-ignore

/**
 * Whether a command may share a process with others: only what is known not to be about its process, and only where
 * nothing but the scripted agent reads the environment that it is given besides.
 */
export const canBeWarm = ([verb = ""]: readonly string[], env: Readonly<Record<string, string>>): boolean =>
  process.platform === "linux" &&
  ORDINARY.has(verb) &&
  Object.keys(env).every((name) => name.startsWith("SCRIPTED_"));

let ask: ((call: WarmCall) => WarmAnswer) | undefined;

/** Runs a command in the process that this test file keeps for them, and waits for its end. */
export const warmPawl = (call: WarmCall): WarmAnswer => (ask ??= start(call.env))(call);

function start(env: WarmCall["env"]): (call: WarmCall) => WarmAnswer {
  const folder = mkdtempSync(join(tmpdir(), "pawl-warm-"));
  const pipes = [join(folder, "questions"), join(folder, "answers")] as const;
  execFileSync("mkfifo", pipes);
  const program = fileURLToPath(new URL("warm-pawl.cjs", import.meta.url));
  // It ends by itself when the other end of its pipe is closed, which the end of this process does, too.
  const child = spawn(process.execPath, ["--expose-gc", program, ...pipes], {
    env,
    cwd: "/",
    stdio: ["pipe", "ignore", 2],
  });
  child.stdin!.end();
  child.unref();
  const questions = openSync(pipes[0], "w");
  const answers = openSync(pipes[1], "r");
  rmSync(folder, { recursive: true });
  const read = (size: number): Buffer => {
    const bytes = Buffer.alloc(size);
    for (let at = 0; at < size;) {
      const count = readSync(answers, bytes, at, size - at, null);
      if (count === 0) {
        closeSync(questions);
        ask = undefined;
        throw new Error("the process that runs commands ended in the middle of one");
      }
      at += count;
    }
    return bytes;
  };
  return (call) => {
    const text = Buffer.from(JSON.stringify(call));
    const size = Buffer.alloc(4);
    size.writeUInt32LE(text.length);
    const question = Buffer.concat([size, text]);
    for (let at = 0; at < question.length;) at += writeSync(questions, question, at);
    return JSON.parse(String(read(read(4).readUInt32LE()))) as WarmAnswer;
  };
}
