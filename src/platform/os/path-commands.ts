import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { type Environment, isGitDetached, withoutGit } from "../git/index.ts";
import { outputPipes } from "./output-pipes.ts";
import { packageVersion } from "./program-version.ts";
import type { CommandEnd, CommandOptions, Commands, Interruption } from "../ports/index.ts";

const LIMIT_MS = 60 * 60_000;
const TAIL_CHARACTERS = 16_384;
/** Output that is still in the pipes when the program is gone arrives at once, or never. */
const DRAIN_MS = 2000;

/** Programs of PATH, started without a shell and without what steers git: in a hook those would name another repository. */
export const pathCommands = (env: Environment): Commands => ({
  run: (argv, options) => runCommand(argv, options, env),
  find(names, from) {
    const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
    const found: Record<string, string> = {};
    for (const name of names) {
      const places =
        name.includes("/") && from !== undefined
          ? [resolve(from, name)]
          : folders.map((folder) => join(folder, name));
      const path = places.find(isProgram);
      if (path !== undefined) found[name] = path;
    }
    return found;
  },
  version: packageVersion,
});

async function runCommand(
  argv: readonly string[],
  { cwd, input, timeoutMs = LIMIT_MS, interruption }: CommandOptions,
  env: Environment,
): Promise<CommandEnd> {
  const [program = "", ...args] = argv;
  const pipes = await outputPipes();
  return new Promise((resolve) => {
    let output = "";
    const child = spawn(program, args, {
      cwd,
      env: { ...withoutGit(env), PAWL_WORKTREE: cwd },
      stdio: ["pipe", pipes?.stdout.fd ?? "pipe", pipes?.stderr.fd ?? "pipe"],
      timeout: timeoutMs,
      // Who hears of signals hands them on; a terminal would send them to the program at the same time.
      detached: interruption !== undefined || isGitDetached(),
    });
    pipes?.handedOver();
    const listenNoMore = interruption && endWhenAsked(child, interruption);
    // A program that does not read is no failure.
    child.stdin!.on("error", () => undefined).end(input);
    const streams = [pipes?.stdout.output ?? child.stdout!, pipes?.stderr.output ?? child.stderr!];
    const read = streams.map((stream) => {
      stream
        .setEncoding("utf8")
        .on("data", (text: string) => (output = (output + text).slice(-TAIL_CHARACTERS)));
      return new Promise((closed) => stream.once("close", closed));
    });
    const closeAll = () => streams.forEach((stream) => stream.destroy());
    child.on("error", (error) => {
      listenNoMore?.();
      closeAll();
      const missing = "code" in error && error.code === "ENOENT";
      const ending = missing ? "was not found" : `could not be started (${error.message})`;
      resolve({ ok: false, ending, output });
    });
    const finish = async (code: number | null, signal: string | null) => {
      // Something that it left running may hold the other end of its streams for ever.
      const timer = setTimeout(closeAll, DRAIN_MS);
      await Promise.all(read);
      listenNoMore?.();
      clearTimeout(timer);
      const ending = signal === null ? `ended with exit code ${code}` : `was stopped by ${signal}`;
      resolve({ ok: code === 0, ending, output });
    };
    child.on("exit", (code, signal) => void finish(code, signal));
  });
}

function endWhenAsked({ pid }: ChildProcess, { signal, listen }: Interruption): () => void {
  let isAsked = false;
  const end = () => {
    try {
      // Its group, or what a shell has started would live on, and hold its streams.
      if (pid !== undefined) process.kill(-pid, isAsked ? "SIGKILL" : "SIGTERM");
    } catch {
      // Gone already.
    }
    isAsked = true;
  };
  if (signal() !== undefined) end();
  return listen(end);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
