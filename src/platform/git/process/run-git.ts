import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { Writable } from "node:stream";
import { Failure } from "../../../domain/index.ts";
import { gitEnvironment, type Environment } from "./git-environment.ts";
import { namelessFile } from "./unlinked-file.ts";
import {
  type GitChild,
  type GitInput,
  type GitStart,
  type SilentGit,
  startGit,
  startSilentGit,
} from "./start-git.ts";
import { retryStart } from "./retry-start.ts";

export interface GitCall {
  readonly args: readonly string[];
  /**
   * `keep` writes objects and refs of Pawl's own, and runs nothing that the repository's settings name: it is for
   * saving work in a repository that is not trusted.
   */
  readonly access: "read" | "write" | "keep";
  readonly input?: GitInput;
  /** Top level of the worktree to be called in, as a person would; known to be one of ours. */
  readonly worktree?: string;
  /** Another index than the worktree's own. */
  readonly indexFile?: string;
  /** Settings for this call; they win over the repository's. */
  readonly config?: ReadonlyMap<string, string>;
  /** Added to the environment, after everything that steers git was taken out of it. */
  readonly variables?: Readonly<Record<string, string>>;
  /** What must be on the disk itself when a write ends; everything, unless it goes to a place that is thrown away. */
  readonly fsync?: string;
  /** Exit codes beside 0 that are an answer, not a failure. */
  readonly answers?: readonly number[];
  readonly onExit?: (code: number) => void;
  /** What git complained about although it went well. */
  readonly onWarning?: (lines: readonly string[]) => unknown;
  /** For calls that run hooks or write many files. */
  readonly timeoutMs?: number;
  /** Nothing that it writes is an answer. Then there are no pipes, which cost a fresh process 3 ms. */
  readonly isSilent?: boolean;
  /** Takes the output as it comes, however much; without it the output is collected, up to a limit. */
  readonly onOutput?: (chunk: Buffer) => void;
}

/** Runs git once and gives what it wrote; anything but a clean exit is a failure. */
export type RunGit = (call: GitCall) => Promise<string>;

export interface GitSetting {
  /** Named outright, so that no variable, no folder above and no `safe.bareRepository` picks another one. */
  readonly gitDir: string;
  /** Where the files are, for calls that look at them; names are relative to it. */
  readonly workTree?: string;
  /** Where objects are, when the git directory is one of ours that only borrows them. */
  readonly objectDir?: string;
  readonly env: Environment;
  readonly timeoutMs?: number;
}

/**
 * Git as a child process. No text of a plan, a path or a message is ever read as a command.
 *
 * Reading must not run what the repository's settings name (hooks, a file system monitor), page, or take locks.
 * Writing must survive a power cut: with git's defaults a commit that was acknowledged left a broken repository.
 */
export function gitRunner(setting: GitSetting): RunGit {
  const { timeoutMs = 120_000 } = setting;
  const once: RunGit = (call) =>
    new Promise((settle, fail) => {
      const place = placeOf(setting, call);
      const start = {
        args: argumentsOf(place, call),
        cwd: place.cwd,
        env: environmentOf(setting, place, call),
      };
      const complaints = call.isSilent || call.access === "write" ? namelessFile(setting.gitDir) : undefined;
      const child =
        call.isSilent && complaints !== undefined
          ? startSilentGit({ ...start, complaints })
          : startGit({ ...start, complaints }, call.input);
      const output = collect(child, call.onOutput);
      const limitMs = call.timeoutMs ?? timeoutMs;
      const timer = setTimeout(() => stop(child, output, `took longer than ${limitMs} ms`), limitMs);
      child.on("error", (cause) => {
        clearTimeout(timer);
        complaints?.take(MAX_ERROR_BYTES);
        fail(notStarted(place, cause));
      });
      child.on("close", (code, signal) => {
        clearTimeout(timer);
        output.stderr += complaints?.take(MAX_ERROR_BYTES) ?? "";
        if (output.cause instanceof Failure) return fail(output.cause);
        if (isStopped(signal) && output.stopped === undefined) return fail(gitStopped(call.args, signal));
        const ending = `ended with exit code ${code}`;
        if (!isAnswer(call, code) || output.stopped !== undefined) return fail(failed(call, output, ending));
        call.onExit?.(code);
        if (output.stderr !== "") call.onWarning?.(output.stderr.split("\n"));
        settle(Buffer.concat(output.chunks).toString("utf8"));
      });
      if (child.stdin === null || call.input === undefined) return;
      // Git may end before it has read everything; its exit code says whether that was a failure.
      child.stdin.on("error", () => {});
      feed(child.stdin, call.input).catch((cause: unknown) => {
        output.cause = cause;
        stop(child, output, "was given something that could not be read");
      });
    });
  return (call) => retryStart(() => once(call), isRepeatable(call));
}

/** What is read from as it comes may have lost its beginning. */
const isRepeatable = ({ input }: GitCall): boolean =>
  input === undefined || typeof input === "string" || input instanceof Uint8Array;

/** Signals that come from outside. A git that dies by another one, as of a full disk or a fault of its own, has failed. */
const STOPS: ReadonlySet<string> = new Set(["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGKILL"]);

export const isStopped = (signal: NodeJS.Signals | null): signal is NodeJS.Signals =>
  signal !== null && STOPS.has(signal);

/** Killed from outside, git has said nothing: whatever it was asked is still open. */
export const gitStopped = ([verb = ""]: readonly string[], signal: string): Failure =>
  new Failure("git/stopped", `git ${verb} was ended by ${signal} before it had answered.`, {
    command: verb,
    signal,
  });

/** For `catch`: what a git that failed stands for. One that was ended from outside stands for nothing. */
export const unlessStopped =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (!(error instanceof Failure) || error.problem === "git/stopped") throw error;
    return instead;
  };

const isAnswer = ({ answers = [] }: GitCall, code: number | null): code is number =>
  code === 0 || (code !== null && answers.includes(code));

/** How git is started in a worktree, for who reads its answers in a way of its own. */
export function gitCommandIn(worktree: string, env: Environment, call: GitCall): GitStart {
  const place = inside(worktree);
  return { args: argumentsOf(place, call), cwd: place.cwd, env: environmentOf({ env }, place, call) };
}

interface Place {
  readonly what: "git directory" | "worktree";
  readonly cwd: string;
  readonly options: readonly string[];
  readonly variables: Environment;
}

/**
 * Where git works: on the git directory it is given, or in a worktree, as if a person had called it there.
 *
 * In a worktree git finds its directory by itself, so that hooks see what they always see. It may not look above: if
 * the `.git` of a worktree vanished, the next one up would be that of the main checkout.
 */
function placeOf({ gitDir, workTree }: GitSetting, { worktree }: GitCall): Place {
  if (worktree !== undefined) return inside(worktree);
  const files = workTree === undefined ? [] : [`--work-tree=${workTree}`];
  return {
    what: workTree === undefined ? "git directory" : "worktree",
    cwd: workTree ?? gitDir,
    options: [`--git-dir=${gitDir}`, ...files],
    variables: {},
  };
}

const inside = (worktree: string): Place => ({
  what: "worktree",
  cwd: worktree,
  options: [],
  variables: { GIT_CEILING_DIRECTORIES: dirname(worktree) },
});

function argumentsOf({ options }: Place, { args, access, fsync = "all" }: GitCall): string[] {
  const durable = access === "read" ? [] : ["-c", `core.fsync=${fsync}`, ...WRITING];
  return [...options, ...OPTIONS[access], ...durable, ...args];
}

function environmentOf(
  { env, objectDir }: Pick<GitSetting, "env" | "objectDir">,
  place: Place,
  { access, indexFile, config, variables }: GitCall,
): Environment {
  return {
    ...gitEnvironment(env),
    ...VARIABLES[access],
    ...place.variables,
    ...(config === undefined ? {} : configVariables(config)),
    ...(objectDir === undefined ? {} : { GIT_OBJECT_DIRECTORY: objectDir }),
    ...(indexFile === undefined ? {} : { GIT_INDEX_FILE: indexFile }),
    ...variables,
  };
}

const drained = (stdin: Writable): Promise<void> =>
  new Promise((go) => {
    const wake = (): void => {
      stdin.off("drain", wake).off("close", wake);
      go();
    };
    stdin.on("drain", wake).on("close", wake);
  });

/** As variables, because `-c` ends a name at its first `=`, and a hostile one has such a name. */
function configVariables(config: ReadonlyMap<string, string>): Environment {
  const pairs = [...config].flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(config.size), ...Object.fromEntries(pairs) };
}

/** Waits for git to take what it was given before it makes more, so a large file never lies in memory whole. */
async function feed(stdin: Writable, input: GitInput): Promise<void> {
  if (typeof input === "string" || input instanceof Uint8Array) {
    stdin.end(input);
    return;
  }
  for await (const chunk of input) {
    if (stdin.destroyed) return;
    if (!stdin.write(chunk)) await drained(stdin);
  }
  stdin.end();
}

const RUN_NOTHING = [
  "--no-optional-locks",
  "--no-pager",
  // A replaced object shows another message than the one its name stands for.
  "--no-replace-objects",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
] as const;

const WRITING = ["-c", "gc.auto=0", "-c", "core.filesRefLockTimeout=10000"] as const;

const OPTIONS = { read: RUN_NOTHING, write: ["--no-pager"], keep: RUN_NOTHING } as const;

// In a partial clone, asking for an object that is not there would go to the network, by whatever program the
// repository's settings name. Older versions of git know only the second.
const STAY_HERE = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" } as const;

const VARIABLES = { read: STAY_HERE, write: {}, keep: STAY_HERE } as const;

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

function collect(child: GitChild | SilentGit, onOutput: GitCall["onOutput"]): Output {
  const output: Output = { chunks: [], bytes: 0, stderr: "", stopped: undefined, cause: undefined };
  child.stdout?.on("data", (chunk: Buffer) => {
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
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
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
function stop(child: GitChild | SilentGit, output: Output, why: string): void {
  output.stopped = why;
  child.kill("SIGTERM");
  setTimeout(() => child.kill("SIGKILL"), GRACE_MS).unref();
  // A grandchild that keeps the pipe open must not keep us waiting.
  child.stdout?.destroy();
  child.stderr?.destroy();
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
function notStarted({ what, cwd: folder }: Place, cause: Error): Failure {
  const missing = "code" in cause && cause.code === "ENOENT";
  if (missing && !existsSync(folder)) {
    return new Failure("git/failed", `The ${what} ${folder} is gone.`, { folder }, { cause });
  }
  const message = missing ? "git was not found on PATH." : `git could not be started: ${cause.message}.`;
  const hint = missing ? { hint: "Install git, or put it on PATH." } : {};
  return new Failure("git/failed", message, {}, { cause, ...hint });
}
