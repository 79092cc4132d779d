import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, rmSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Readable } from "node:stream";
import {
  Failure,
  ONLY_WHAT_IS_COMMITTED,
  type StopCause,
  toInstant,
  verdictOfExit,
} from "../../../domain/index.ts";
import {
  type Clock,
  type CommandRequest,
  type Machine,
  type ProcessRecord,
  type ProcessTable,
  PROMPT_FILE,
  type RunningCommand,
  type Stopped,
  type SupervisedEnd,
  type Supervisor,
} from "../../ports/index.ts";
import { isGivenToOne, outputPipes } from "../output-pipes.ts";
import { contained, signalOfExit } from "../sandbox/bubblewrap.ts";
import { type CappedLog, cappedLog, partBytesFor } from "./capped-log.ts";
import { findCommandProcesses, MARK } from "./find-command-processes.ts";
import { redactor } from "./redact.ts";
import { trackDescendants } from "./track-descendants.ts";
import { stopCommandProcesses } from "./stop-command-processes.ts";

export interface SupervisorParts {
  readonly clock: Clock;
  readonly machine: Machine;
  readonly table: ProcessTable;
}

const GRACE_MS = 10_000;
/** Output that is still in the pipes when the last process is gone arrives at once, or never. */
const DRAIN_MS = 2000;

/** More than a pipe holds: what comes behind it was written by another program. */
const MOST_LATE_BYTES = 1 << 20;

export function supervisor(parts: SupervisorParts): Supervisor {
  const isHere = ({ bootId, hostId }: ProcessRecord) =>
    bootId === parts.machine.bootId && hostId === parts.machine.hostId;
  const left = (record: ProcessRecord) => ({
    record,
    table: parts.table,
    isChild: false,
    self: process.pid,
  });
  return {
    start: (request) => start(parts, request),
    isStillRunning: (record) => isHere(record) && findCommandProcesses(left(record)).entries.length > 0,
    async stopLeftOver(record, { graceMs = GRACE_MS } = {}) {
      if (!isHere(record)) return { stopped: [], left: [] };
      return stopCommandProcesses(left(record), { graceMs: () => graceMs, uptimeMs: parts.clock.uptimeMs });
    },
  };
}

async function start(parts: SupervisorParts, request: CommandRequest): Promise<RunningCommand> {
  if (!/^[\w.-]{1,100}$/.test(request.logName))
    throw new Failure("internal/bug", "The name of a log has only letters, digits, -, _ and dots.", {
      name: request.logName,
    });
  const log = cappedLog(request.logFolder, request.logName, partBytes(request));
  let started: Started;
  let promptPath: string | undefined;
  try {
    promptPath = keepPrompt(request);
    if (request.file !== undefined) writeNew(request.file.path, request.file.text);
    started = await begin(request, promptPath);
  } catch (error) {
    // Nothing was started, so nothing was said: the name is free for the next try.
    rmSync((await log.close()).path, { force: true });
    for (const path of [promptPath, request.file?.path])
      if (path !== undefined) rmSync(path, { force: true });
    throw error;
  }
  const record = recordOf(parts, request, started.child.pid!);
  const command = watch(parts, request, started, record, log);
  return { record, logPath: log.path, promptPath, ...command };
}

const partBytes = ({ logFolder, logBudgetBytes }: CommandRequest): number | undefined =>
  logBudgetBytes === undefined ? undefined : partBytesFor(logFolder, logBudgetBytes);

/** In a file even where it goes by stdin: a file cannot block, break like a pipe, or be lost when a person asks later. */
function keepPrompt({ prompt, logFolder, logName }: CommandRequest): string | undefined {
  if (prompt === undefined) return undefined;
  const path = join(logFolder, `${logName}.prompt.md`);
  writeNew(path, prompt);
  return path;
}

/** Never over what is there, nor through a link: agents can write in the folder. */
function writeNew(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: "wx", mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Failure("run/log-failed", `${path} cannot be written (${code}).`, { path }, { cause: error });
  }
}

/** A program, and what it writes. */
interface Started {
  readonly child: ChildProcess;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/** In a session and group of its own, so that Ctrl-C reaches Pawl alone and one signal reaches all that it starts. */
async function begin(request: CommandRequest, promptPath: string | undefined): Promise<Started> {
  const asked = request.argv.map((word) => (word === PROMPT_FILE ? (promptPath ?? word) : word));
  const [program = "", ...args] = request.containment
    ? contained(asked, request.cwd, request.containment)
    : asked;
  const input =
    request.promptBy === "stdin" && promptPath !== undefined ? openSync(promptPath, "r") : undefined;
  const pipes = await outputPipes();
  try {
    const child = spawn(program, args, {
      cwd: request.cwd,
      env: { ...request.env, [MARK]: request.session },
      detached: true,
      stdio: [input ?? "ignore", pipes?.stdout.fd ?? "pipe", pipes?.stderr.fd ?? "pipe"],
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve).once("error", reject);
    });
    return {
      child,
      stdout: pipes?.stdout.output ?? child.stdout!,
      stderr: pipes?.stderr.output ?? child.stderr!,
    };
  } catch (error) {
    pipes?.stdout.output.destroy();
    pipes?.stderr.output.destroy();
    const { code } = error as NodeJS.ErrnoException;
    // The system says "no such file" for a folder that is gone, too.
    const problem = code === "ENOENT" && existsSync(request.cwd) ? "agent/not-found" : "agent/not-startable";
    const isFromThere = problem === "agent/not-found" && program.includes("/") && !isAbsolute(program);
    throw new Failure(
      problem,
      `${program} cannot be started${isFromThere ? ` in ${request.cwd}` : ""} (${code}).`,
      { program, cwd: request.cwd, errno: code },
      {
        cause: error,
        ...(isFromThere && { hint: ONLY_WHAT_IS_COMMITTED }),
        ...((code === "EMFILE" || code === "ENFILE") && { hint: FEWER_FILES }),
      },
    );
  } finally {
    pipes?.handedOver();
    if (input !== undefined) closeSync(input);
  }
}

const FEWER_FILES =
  "Use fewer --workers, or allow more open files (`ulimit -n`), then run the command again; nothing was lost.";

function recordOf({ machine, table }: SupervisorParts, request: CommandRequest, pid: number): ProcessRecord {
  const { session, folder } = request;
  const startedAt = table.entry(pid)?.startedAt ?? "unknown";
  // Its input is a file or nothing, and those are shared with strangers.
  const streams = [...new Set(table.streams(pid).filter(isGivenToOne))];
  return { pid, startedAt, group: pid, session, ...machine, streams, folder };
}

function watch(
  parts: SupervisorParts,
  request: CommandRequest,
  started: Started,
  record: ProcessRecord,
  log: CappedLog,
): Pick<RunningCommand, "stop" | "ended" | "progress" | "lastLines"> {
  const { clock, table } = parts;
  const began = { wallMs: clock.wallMs(), uptimeMs: clock.uptimeMs() };
  const below = trackDescendants(record, table);
  const { child } = started;
  const output = readOutput(request, started, log, clock);
  let graceMs = request.graceMs ?? GRACE_MS;
  let stopped: StopCause | undefined;
  let stopping: Promise<Stopped> | undefined;
  const sweep = () =>
    stopCommandProcesses(
      { record, table, known: below.known, isChild: true, self: process.pid },
      { graceMs: () => graceMs, uptimeMs: clock.uptimeMs },
    );
  const stop = async (cause: StopCause) => {
    if (stopping) graceMs = 0;
    stopped ??= cause;
    stopping ??= sweep();
    await stopping;
  };
  const timer =
    request.timeoutMs === undefined
      ? undefined
      : setTimeout(() => void stop("timeout"), Math.min(request.timeoutMs, MOST_TIMEOUT_MS));

  const exited = new Promise<{ exitCode: number | undefined; signal: string | undefined }>((resolve) => {
    child.once("exit", (code, signal) => resolve(exitOf(request, code, signal)));
  });

  const finish = async (): Promise<SupervisedEnd> => {
    const { exitCode, signal } = await exited;
    clearTimeout(timer);
    if (request.leaseLost?.()) stopped ??= "lease_lost";
    const asked = stopping && (await stopping);
    const { stopped: swept, left } = await sweep();
    below.forget();
    await output.drained();
    const exit = { exitCode, signal, stopped };
    const { report, facts } = request.reader.end(exit);
    return {
      ...exit,
      verdict: verdictOfExit(facts),
      report,
      startedAt: toInstant(began.wallMs),
      endedAt: toInstant(clock.wallMs()),
      durationMs: clock.uptimeMs() - began.uptimeMs,
      lastLines: request.reader.lines(),
      log: await log.close(),
      swept: [...(asked?.stopped ?? []), ...swept].filter(({ pid }) => pid !== record.pid),
      leftRunning: left,
    };
  };

  return { stop, ended: finish(), progress: output.progress, lastLines: request.reader.lines };
}

function exitOf({ containment }: CommandRequest, code: number | null, signal: string | null) {
  const exitCode = code ?? undefined;
  const within = containment && signalOfExit(exitCode, constants.signals);
  return within === undefined
    ? { exitCode, signal: signal ?? undefined }
    : { exitCode: undefined, signal: within };
}

/** Node's timers wrap around beyond this. */
const MOST_TIMEOUT_MS = 2 ** 31 - 1;

function readOutput(request: CommandRequest, started: Started, log: CappedLog, clock: Clock) {
  const redact = { stdout: redactor(request.secrets ?? {}), stderr: redactor(request.secrets ?? {}) };
  const pass = (name: "stdout" | "stderr", chunk: Uint8Array) => {
    if (chunk.length === 0) return;
    log.write(chunk);
    try {
      request.reader[name](chunk);
    } catch (error) {
      // Thrown from here it would end the supervisor and leave the agent running.
      log.write(Buffer.from(`\npawl: this output could not be read: ${String(error)}\n`));
    }
  };
  let bytes = 0;
  let lastOutputMs: number | undefined;
  const streams = (["stdout", "stderr"] as const).map(async (name) => {
    const stream = started[name];
    // What is read here is dealt with before more is read: a flood waits in the agent, not in our memory.
    stream.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      lastOutputMs = clock.wallMs();
      pass(name, redact[name].push(chunk));
    });
    await new Promise<void>((resolve) => {
      stream.once("close", resolve).once("error", () => resolve());
    });
  });
  return {
    progress: () => ({
      bytes,
      lastOutputAt: lastOutputMs === undefined ? undefined : toInstant(lastOutputMs),
    }),
    /** Something that escaped every search may hold the other end for ever. */
    async drained() {
      let timer: NodeJS.Timeout | undefined;
      const enough = new Promise((resolve) => {
        timer = setTimeout(resolve, DRAIN_MS);
      });
      await Promise.race([Promise.all(streams), enough]);
      clearTimeout(timer);
      // After a standstill (a slow disk) the timer is due before the pipes are read; immediates come behind them.
      const readOn = async (before: number, most: number): Promise<void> => {
        await new Promise(setImmediate);
        if (bytes > before && bytes < most) return readOn(bytes, most);
      };
      await readOn(bytes, bytes + MOST_LATE_BYTES);
      for (const name of ["stdout", "stderr"] as const) {
        started[name].destroy();
        pass(name, redact[name].end());
      }
    },
  };
}
