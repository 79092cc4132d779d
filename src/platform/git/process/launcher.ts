import { spawn, type ChildProcessByStdio } from "node:child_process";
import { EventEmitter } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { isGitDetached } from "./git-apart.ts";
import type { Environment } from "./git-environment.ts";
import type { GitChild, GitStart, SilentGit } from "./start-git.ts";
import { namelessFile, type NamelessFile } from "./unlinked-file.ts";

/**
 * Starts git from a small process instead of from this one.
 *
 * On Linux a new process begins as a copy of the one that starts it, and that one stands still until the copy runs
 * another program: in a run with eight workers 3 to 6 ms of processor time for each git, and on a busy machine ten times
 * that on the clock, during which no other worker moves. A shell is a hundredth of the size. It reads one command after
 * the other and answers with exit codes; what git writes goes to a nameless file of each call, so that a program which a hook
 * left behind writes into no other answer.
 *
 * Only a process that keeps git apart from its terminal does this: there git is in a session of its own either way.
 */
export function launchGit(start: GitStart, input?: string | Uint8Array): GitChild | undefined {
  const launcher = freeLauncher(start);
  if (launcher === undefined) return undefined;
  const files = openFiles(start, input);
  if (files === undefined) {
    launcher.giveBack();
    return undefined;
  }
  const { given, out, err } = files;
  const child = Object.assign(new EventEmitter(), {
    stdin: null,
    stdout: new PassThrough(),
    stderr: err === undefined ? null : new PassThrough(),
    kill: launcher.kill,
  });
  const end = (code: number | null, signal: NodeJS.Signals | null) => {
    given?.take(0);
    child.emit("exit", code, signal);
    let open = err === undefined ? 1 : 2;
    const onClose = () => (open -= 1) === 0 && child.emit("close", code, signal);
    try {
      pour(out, child.stdout.once("close", onClose));
      if (err && child.stderr) pour(err, child.stderr.once("close", onClose));
    } catch (error) {
      child.emit("error", error);
    }
  };
  const complaints = (err ?? start.complaints)?.fd;
  launcher.run(commandLine(launcher, start, { given: given?.fd, out: out.fd, err: complaints }), end);
  return child as unknown as GitChild;
}

interface CallFiles {
  /** What git reads; undefined where it reads nothing. */
  readonly given: NamelessFile | undefined;
  readonly out: NamelessFile;
  /** Undefined where the caller has a file for complaints. */
  readonly err: NamelessFile | undefined;
}

/** Undefined where the system has no room for them. */
function openFiles({ complaints }: GitStart, input: string | Uint8Array | undefined): CallFiles | undefined {
  const given = input === undefined ? undefined : namelessFile(tmpdir());
  const out = namelessFile(tmpdir());
  const err = complaints === undefined ? namelessFile(tmpdir()) : undefined;
  const isWritten = input === undefined || (given !== undefined && isWrittenTo(given.fd, input));
  if (isWritten && out && (err || complaints !== undefined)) return { given, out, err };
  for (const file of [given, out, err]) file?.take(0);
  return undefined;
}

function isWrittenTo(fd: number, input: string | Uint8Array): boolean {
  try {
    writeFileSync(fd, input);
    return true;
  } catch {
    return false;
  }
}

/** The same where only what git complains about is wanted, in an open file. */
export function launchSilentGit(start: GitStart): SilentGit | undefined {
  const launcher = freeLauncher(start);
  if (launcher === undefined) return undefined;
  const child = Object.assign(new EventEmitter(), {
    stdin: null,
    stdout: null,
    stderr: null,
    kill: launcher.kill,
  });
  launcher.run(commandLine(launcher, start, { err: start.complaints?.fd }), (code, signal) => {
    child.emit("exit", code, signal);
    child.emit("close", code, signal);
  });
  return child as unknown as SilentGit;
}

function pour(file: NamelessFile, stream: PassThrough): void {
  file.takeAll((chunk) => {
    if (!stream.destroyed) stream.write(chunk);
  });
  if (!stream.destroyed) stream.end();
}

type OnEnd = (code: number | null, signal: NodeJS.Signals | null) => void;

interface Launcher {
  readonly env: Environment;
  readonly run: (line: string, onEnd: OnEnd) => void;
  readonly giveBack: () => void;
  /** Reaches git and what it runs, and the shell with them: a new one takes its place. */
  readonly kill: (signal?: NodeJS.Signals | number) => boolean;
}

const idle: Launcher[] = [];
let launchers = 0;
let starts = 0;
/** Until a launcher shows that it does not work here. */
let isUsable = process.platform === "linux";

/** A command, and a run of a few steps, does not need another process for it. */
const FIRST_STARTS = 100;
/** More than these at the same time are started directly. */
const MOST_LAUNCHERS = 16;

/** Undefined where git is started directly. */
function freeLauncher({ cwd, env }: GitStart): Launcher | undefined {
  starts += 1;
  if (starts <= FIRST_STARTS || !isUsable || !isGitDetached()) return undefined;
  // Its shell reports a folder that is gone in another way than the system does.
  if (!existsSync(cwd)) return undefined;
  const fitting = idle.findIndex((one) => hasAllOf(env, one.env));
  if (fitting !== -1) return idle.splice(fitting, 1)[0];
  if (launchers < MOST_LAUNCHERS) addLauncher(sharedBy(env));
  return undefined;
}

/** A command adds variables and changes them; it cannot leave one out. */
const hasAllOf = (env: Environment, base: Environment): boolean =>
  Object.keys(base).every((name) => env[name] !== undefined);

/** What every call has. What steers git differs from call to call. */
const sharedBy = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("GIT_")));

/** It is used once it has shown that it works: that it runs a command, and that it reaches a file of this process. */
function addLauncher(env: Environment): void {
  launchers += 1;
  const probe = namelessFile(tmpdir());
  if (probe === undefined) {
    isUsable = false;
    return;
  }
  const shell = spawn("sh", [], {
    cwd: "/",
    env,
    detached: true,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const launcher = launcherOf(shell, env);
  launcher.run(`command git --version >>${fileOf(probe.fd)} 2>&1 </dev/null`, (code) => {
    if (code === 0 && probe.take(PROBE_BYTES).startsWith("git version")) return;
    isUsable = false;
    shell.kill();
  });
}

const PROBE_BYTES = 100;

function launcherOf(shell: ChildProcessByStdio<Writable, Readable, null>, env: Environment): Launcher {
  let onEnd: OnEnd | undefined;
  let isGone = false;
  let said = "";
  const settle = (code: number | null, signal: NodeJS.Signals | null) => {
    const ended = onEnd;
    onEnd = undefined;
    ended?.(code, signal);
  };
  const leave = () => {
    if (isGone) return;
    isGone = true;
    launchers -= 1;
    const at = idle.indexOf(launcher);
    if (at !== -1) idle.splice(at, 1);
  };
  const launcher: Launcher = {
    env,
    run(line, ended) {
      onEnd = ended;
      ref(shell.stdout);
      // It stays in no folder of others: what is in a worktree would count as a program that an agent left there.
      shell.stdin.write(`${line}; echo $?; cd /\n`);
    },
    giveBack() {
      unref(shell.stdout);
      if (!isGone) idle.push(launcher);
    },
    kill(signal = "SIGTERM") {
      leave();
      return signalGroup(shell.pid, signal);
    },
  };
  shell.stdout.setEncoding("latin1").on("data", (text: string) => {
    said += text;
    const line = /^(\d+)\n/.exec(said);
    if (line === null) return;
    said = "";
    const [code, signal] = endingOf(Number(line[1]));
    settle(code, signal);
    launcher.giveBack();
  });
  // The system is out of processes or files: git is started directly and says so.
  shell.once("error", () => {
    leave();
    settle(null, "SIGKILL");
  });
  shell.once("close", (_, signal) => {
    leave();
    if (onEnd === undefined) return;
    // Its git may still be at work. What is reported as ended must have ended.
    void endGroup(shell.pid).then(() => settle(null, signal ?? "SIGKILL"));
  });
  shell.stdin.on("error", () => undefined);
  shell.unref();
  unref(shell.stdin);
  return launcher;
}

/** Pipes to a process can be left out of what keeps this one alive; the types of streams do not say so. */
const ref = (stream: object): void => (stream as { ref?: () => void }).ref?.();
const unref = (stream: object): void => (stream as { unref?: () => void }).unref?.();

/** A shell says 128 and more for a signal. Git itself ends with 128, and with 129 where it was called wrongly. */
function endingOf(said: number): [number, null] | [null, NodeJS.Signals] {
  const signal = said > GIT_USAGE ? BY_NUMBER.get(said - SIGNALLED) : undefined;
  return signal === undefined ? [said, null] : [null, signal];
}

const SIGNALLED = 128;
const GIT_USAGE = 129;
const BY_NUMBER = new Map(
  Object.entries(constants.signals).map(([name, number]) => [number, name as NodeJS.Signals]),
);

function signalGroup(pid: number | undefined, signal: NodeJS.Signals | number): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

const LOOK_MS = 20;
const GRACE_MS = 2_000;

/** Asks first: a git that is asked removes its lock files. */
async function endGroup(pid: number | undefined): Promise<void> {
  signalGroup(pid, "SIGTERM");
  for (let waitedMs = 0; waitedMs < 2 * GRACE_MS && signalGroup(pid, 0); waitedMs += LOOK_MS) {
    if (waitedMs >= GRACE_MS) signalGroup(pid, "SIGKILL");
    await new Promise((go) => setTimeout(go, LOOK_MS));
  }
}

/** Quoted for a shell: nothing in single quotes means anything to it. */
const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

const fileOf = (fd: number): string => `/proc/${process.pid}/fd/${fd}`;

interface LineFiles {
  readonly given?: number | undefined;
  readonly out?: number;
  readonly err: number | undefined;
}

function commandLine(
  launcher: Launcher,
  { args, cwd, env }: GitStart,
  { given, out, err }: LineFiles,
): string {
  const variables = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || launcher.env[name] === value ? [] : [`${name}=${quoted(value)}`],
  );
  // Not a function or an alias of that name.
  const words = [...variables, "command git", ...args.map(quoted)];
  const into = (fd: number | undefined) => (fd === undefined ? ">/dev/null" : `>>${fileOf(fd)}`);
  const input = given === undefined ? "/dev/null" : fileOf(given);
  return `cd ${quoted(cwd)} && ${words.join(" ")} ${into(out)} 2${into(err)} <${input}`;
}
