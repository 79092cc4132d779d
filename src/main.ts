import { fstatSync, readFileSync, writeSync } from "node:fs";
import { COMMANDS } from "./cli/commands/index.ts";
import type { Context, Stream } from "./cli/context.ts";
import type { Host } from "./cli/host.ts";
import { runCli } from "./cli/shell.ts";
import { guard } from "./cli/text/guard.ts";
import type { Failure } from "./domain/errors.ts";
import type { Pawl } from "./pawl.ts";

declare const PAWL_VERSION: string;

/** Writes all of it, now. A reader that went away (`pawl … | head`) is no error of ours. */
function write(fd: number, text: string): boolean {
  const bytes = Buffer.from(text);
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(fd, bytes, written);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EPIPE") return false;
      // A pipe that is full: its reader will make room.
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
  return true;
}

/** What was piped in. A terminal, or nothing at all, is no input. */
function readStdin(): string | undefined {
  try {
    const stat = fstatSync(0);
    if (!stat.isFIFO() && !stat.isFile() && !stat.isSocket()) return undefined;
    return readFileSync(0, "utf8") || undefined;
  } catch {
    return undefined;
  }
}

function stream(): Stream {
  let stopped = false;
  let wake: () => void = () => undefined;
  const stop = () => {
    stopped = true;
    wake();
  };
  return {
    line: (text) => write(1, `${guard(text, false)}\n`),
    async pause(ms) {
      // SIGTERM does what it always does: there is nothing to tidy up.
      process.once("SIGINT", stop);
      if (!stopped) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      process.off("SIGINT", stop);
      return !stopped;
    },
  };
}

const cwd = process.cwd();
const { env } = process;

/**
 * Whether people look at it. Node's own way loads the network and stream modules, which costs more than a claim, so it
 * is asked only about what can be a terminal at all.
 */
const isTerminal = (fd: number): boolean => {
  try {
    return fstatSync(fd).isCharacterDevice() && process.getBuiltinModule("node:tty").isatty(fd);
  } catch {
    return false;
  }
};

const host: Host = {
  env,
  cwd,
  stdout: (text) => write(1, text),
  stderr: (text) => write(2, text),
  isTerminal: isTerminal(1),
  isErrorTerminal: isTerminal(2),
  get columns() {
    return host.isTerminal ? process.stdout.columns : undefined;
  },
  context,
};

/** Loaded only when a command runs: `--version` and `--help` need none of it. */
async function context(): Promise<Context> {
  const { nodeFiles } = await import("./os/node-files.ts");
  let pawl: Pawl | undefined;
  const notices: Failure[] = [];
  return {
    cwd,
    env,
    files: nodeFiles,
    notices,
    async pawl() {
      if (pawl) return pawl;
      const [{ compose }, { pawlOn }] = await Promise.all([import("./compose.ts"), import("./pawl.ts")]);
      pawl = pawlOn(await compose({ cwd, env, notice: (one) => notices.push(one) }));
      return pawl;
    },
    stdin: readStdin,
    stream: stream(),
  };
}

// Leaving at once, without closing the database, saves milliseconds on every call: the write-ahead log is durable as
// it is, and the next writer that finds it long enough folds it in.
void runCli(process.argv.slice(2), host, { version: PAWL_VERSION, commands: COMMANDS }).then((code) =>
  process.exit(code),
);
