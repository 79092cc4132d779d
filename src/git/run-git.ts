import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { existsSync } from "node:fs";
import { Failure } from "../domain/errors.ts";
import { gitEnvironment, type Environment } from "./git-environment.ts";

export interface GitCall {
  readonly args: readonly string[];
  readonly access: "read" | "write";
  readonly input?: string;
  /** Takes the output as it comes, however much; without it the output is collected, up to a limit. */
  readonly onOutput?: (chunk: Buffer) => void;
}

/** Runs git once and gives what it wrote; anything but a clean exit is a failure. */
export type RunGit = (call: GitCall) => Promise<string>;

export interface GitSetting {
  /** Named outright, so that no variable, no folder above and no `safe.bareRepository` picks another one. */
  readonly gitDir: string;
  readonly env: Environment;
  readonly timeoutMs?: number;
}

/**
 * Git as a child process, never through a shell.
 *
 * Reading must not run what the repository's settings name (hooks, a file system monitor), page, or take locks.
 * Writing must survive a power cut: with git's defaults a commit that was acknowledged left a broken repository.
 */
export function gitRunner({ gitDir, env, timeoutMs = 120_000 }: GitSetting): RunGit {
  return (call) =>
    new Promise((settle, fail) => {
      const args = [`--git-dir=${gitDir}`, ...OPTIONS[call.access], ...call.args];
      const child = spawn("git", args, {
        cwd: gitDir,
        env: { ...gitEnvironment(env), ...VARIABLES[call.access] },
        windowsHide: true,
      });
      const output = collect(child, call.onOutput);
      const timer = setTimeout(() => stop(child, output, `took longer than ${timeoutMs} ms`), timeoutMs);
      child.on("error", (cause) => {
        clearTimeout(timer);
        fail(notStarted(gitDir, cause));
      });
      child.on("close", (code, signal) => {
        clearTimeout(timer);
        const ending = signal === null ? `ended with exit code ${code}` : `was stopped by ${signal}`;
        if (code !== 0 || output.stopped !== undefined) fail(failed(call, output, ending));
        else settle(Buffer.concat(output.chunks).toString("utf8"));
      });
      // Git may end before it has read everything; its exit code says whether that was a failure.
      child.stdin.on("error", () => {});
      child.stdin.end(call.input ?? "");
    });
}

/** What every call says before its own words. */
export const OPTIONS = {
  read: [
    "--no-optional-locks",
    "--no-pager",
    // A replaced object shows another message than the one its name stands for.
    "--no-replace-objects",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
  ],
  write: ["--no-pager", "-c", "core.fsync=all", "-c", "gc.auto=0", "-c", "core.filesRefLockTimeout=10000"],
} as const;

export const VARIABLES = {
  // In a partial clone, asking for an object that is not there would go to the network, by whatever program the
  // repository's settings name. Older versions of git know only the second.
  read: { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" },
  write: {},
} as const;

const MAX_OUTPUT_BYTES = 64 << 20;
const MAX_ERROR_BYTES = 8 << 10;
const GRACE_MS = 2_000;

interface Output {
  readonly chunks: Buffer[];
  bytes: number;
  stderr: string;
  stopped: string | undefined;
  cause: unknown;
}

function collect(child: ChildProcessWithoutNullStreams, onOutput: GitCall["onOutput"]): Output {
  const output: Output = { chunks: [], bytes: 0, stderr: "", stopped: undefined, cause: undefined };
  child.stdout.on("data", (chunk: Buffer) => {
    if (output.stopped !== undefined) return;
    try {
      if (onOutput === undefined) hold(output, chunk);
      else onOutput(chunk);
    } catch (cause) {
      // Thrown from a stream's listener it would end the process.
      output.cause = cause;
      stop(child, output, "wrote more or other than can be read");
    }
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (output.stderr.length < MAX_ERROR_BYTES) output.stderr += text.slice(0, MAX_ERROR_BYTES);
  });
  return output;
}

function hold(output: Output, chunk: Buffer): void {
  output.bytes += chunk.length;
  if (output.bytes > MAX_OUTPUT_BYTES) throw new RangeError(`more than ${MAX_OUTPUT_BYTES} bytes`);
  output.chunks.push(chunk);
}

/** Asks first, because a git that is asked removes its lock files; what does not listen is killed. */
function stop(child: ChildProcessWithoutNullStreams, output: Output, why: string): void {
  output.stopped = why;
  child.kill("SIGTERM");
  setTimeout(() => child.kill("SIGKILL"), GRACE_MS).unref();
  // A grandchild that keeps the pipe open must not keep us waiting.
  child.stdout.destroy();
  child.stderr.destroy();
}

function failed({ args }: GitCall, output: Output, ending: string): Failure {
  const lines = output.stderr.split("\n").filter((line) => line.trim() !== "");
  const said = lines[0] === undefined ? "" : `: ${lines[0]}`;
  const message = `git ${args[0]} ${output.stopped ?? `${ending}${said}`}.`;
  const details = { command: args.slice(0, MAX_SHOWN), stderr: lines.slice(0, MAX_SHOWN) };
  return new Failure("git/failed", message, details, { cause: output.cause });
}

const MAX_SHOWN = 10;

/** The system reports a missing program and a missing working directory alike. */
function notStarted(gitDir: string, cause: Error): Failure {
  const missing = "code" in cause && cause.code === "ENOENT";
  if (missing && !existsSync(gitDir)) {
    return new Failure("git/failed", `The git directory ${gitDir} is gone.`, { git_dir: gitDir }, { cause });
  }
  const message = missing ? "git was not found on PATH." : `git could not be started: ${cause.message}.`;
  const hint = missing ? { hint: "Install git, or put it on PATH." } : {};
  return new Failure("git/failed", message, {}, { cause, ...hint });
}
