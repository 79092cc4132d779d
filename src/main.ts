import { fstatSync, statSync } from "node:fs";
import { resolve } from "node:path";
import {
  type AskKey,
  type AskLine,
  BY_SIGNAL,
  colourPaint,
  COMMANDS,
  type Context,
  frame,
  guard,
  type Host,
  loadHomeText,
  plainPaint,
  type Progress,
  runCli,
  type Servers,
  type Stream,
  Unwritten,
  useColour,
  type WatchKeys,
  write,
} from "./cli/index.ts";
import { ACP_MARK, EXIT_CODES, Failure } from "./domain/index.ts";
import { detachGit, noteSignal } from "./platform/git/index.ts";
import {
  loadLineProcess,
  loadNodeFiles,
  loadReadEvent,
  loadReadPipedInput,
  loadSystemClock,
  loadTerminalKeys,
  loadTerminalLines,
  workingFolder,
} from "./platform/os/index.ts";
import type { Pawl } from "./api.ts";
import type { Interruption, StopSignal } from "./platform/ports/index.ts";
import { loadServe } from "./mcp/index.ts";
import { loadSleep } from "./platform/index.ts";
import { loadStartUi } from "./web/index.ts";

declare const PAWL_VERSION: string;

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

const { env } = process;
const cwd = workingFolder();

/** `devNull` of `node:os`, which would be loaded for this alone. */
const NOWHERE = process.platform === "win32" ? "\\\\.\\nul" : "/dev/null";

/**
 * Whether people look at it. Node's own way loads the network and stream modules, which costs more than a claim, so it
 * is asked only about what can be a terminal at all: a device, and not the one that swallows everything.
 */
const isTerminal = (fd: number): boolean => {
  try {
    const stat = fstatSync(fd);
    if (!stat.isCharacterDevice() || stat.rdev === statSync(NOWHERE).rdev) return false;
    return process.getBuiltinModule("node:tty").isatty(fd);
  } catch {
    return false;
  }
};

const host: Host = {
  env,
  cwd: cwd ?? "/",
  stdout: (text) => write(1, text),
  stderr: (text) => {
    try {
      write(2, text);
    } catch {
      // The exit code says it too.
    }
  },
  get isTerminal() {
    return isTerminal(1);
  },
  get isErrorTerminal() {
    return isTerminal(2);
  },
  get columns() {
    return host.isTerminal ? process.stdout.columns : undefined;
  },
  context,
};

/** Loaded only when a command runs: `--version` and `--help` need none of it. */
async function context(given: ReadonlySet<string>): Promise<Context> {
  if (cwd === undefined)
    throw new Failure("repository/not-found", "The folder that this was started in is gone.", {});
  const { nodeFiles } = await loadNodeFiles();
  let pawl: Promise<Pawl> | undefined;
  const notices: Failure[] = [];
  const pawlAt = async (folder: string, program?: string): Promise<Pawl> => {
    const [{ compose }, { pawlFor }] = await Promise.all([import("./compose.ts"), import("./api.ts")]);
    return pawlFor(await compose({ cwd: folder, env, program, notice: (one) => notices.push(one) }));
  };
  return {
    cwd,
    env,
    files: nodeFiles,
    notices,
    pawl: (folder = cwd) => (folder === cwd ? (pawl ??= pawlAt(cwd, process.argv[1])) : pawlAt(folder)),
    stdin: async (isAwaited) => (await loadReadPipedInput()).readPipedInput(isAwaited),
    event: async () => (await loadReadEvent()).readEvent(),
    stream: stream(),
    interruption: listenForSignals,
    progress: progress(given),
    ask: canAsk(given) ? askAtTerminal : undefined,
    askLine: canAsk(given) ? askLineAtTerminal : undefined,
    keys: canAsk(given) && env["TERM"] !== "dumb" ? watchTerminal : undefined,
    servers: serversAt(cwd, pawlAt),
  };
}

/** The servers of `pawl mcp` and `pawl ui`, each loaded when it is asked for. */
const serversAt = (folder: string, pawlAt: (folder: string) => Promise<Pawl>): Servers => ({
  async serveAgent({ leaseSeconds, worktree }) {
    const [{ serveAgent }, { systemClock }, { sleep }] = await Promise.all([
      loadServe(),
      loadSystemClock(),
      loadSleep(),
    ]);
    const client = process.ppid;
    return serveAgent({
      clientLives: () => process.ppid === client,
      worktree: worktree === undefined ? undefined : resolve(folder, worktree),
      version: PAWL_VERSION,
      cwd: folder,
      env,
      leaseSeconds,
      pawlAt,
      input: process.stdin,
      output: process.stdout,
      clock: systemClock,
      sleep,
      interruption: listenForSignals(),
    });
  },
  async talkTo(program, onLine) {
    const { lineProcess } = await loadLineProcess();
    // The agent itself must not pass for a run that starts one.
    const { [ACP_MARK]: _, ...env } = process.env;
    return lineProcess(program, onLine, env);
  },
  async servePage(options) {
    const { startUi } = await loadStartUi();
    return startUi({
      ...options,
      // A connection of its own: what reads for the page must not stand inside a worker's transaction.
      pawl: await pawlAt(folder),
      env,
      cwd: folder,
      program: [process.execPath, ...process.argv.slice(1, 2)],
      version: PAWL_VERSION,
    });
  },
});

/** Questions go to stderr and answers come from stdin: both must be in front of a person. */
const canAsk = (given: ReadonlySet<string>): boolean =>
  !given.has("json") && !given.has("quiet") && isTerminal(0) && host.isErrorTerminal;

const askAtTerminal: AskKey = async (question, keys) => {
  const { askKey } = await loadTerminalKeys();
  for (const line of question) host.stderr(`${guard(line, false)}\n`);
  return askKey(keys, host.stderr);
};

const askLineAtTerminal: AskLine = async (question) =>
  (await loadTerminalLines()).askLine(guard(question, false), host.stderr);

const watchTerminal: WatchKeys = async (onKey) => (await loadTerminalKeys()).watchKeys(onKey);

let heardSignal: StopSignal | undefined;
let interruption: Interruption | undefined;

/** The handler only says that a signal came. A second one does not wait: what is left running is found by its mark. */
function listenForSignals(): Interruption {
  if (interruption) return interruption;
  const listeners = new Set<() => void>();
  const lastActs = new Set<() => Promise<unknown>>();
  let isLeaving = false;
  const leave = async (code: number) => {
    // A person who presses it a third time has no patience with a database that is busy either.
    if (isLeaving) process.exit(code);
    isLeaving = true;
    const acts = Promise.allSettled([...lastActs].map((act) => act()));
    await Promise.race([acts, later(LAST_ACTS_MS)]);
    await later(LAST_WORDS_MS);
    process.exit(code);
  };
  for (const signal of Object.keys(BY_SIGNAL) as StopSignal[])
    process.on(signal, () => {
      const isFirst = heardSignal === undefined;
      heardSignal ??= signal;
      noteSignal(signal);
      for (const listener of listeners) listener();
      if (!isFirst) void leave(BY_SIGNAL[heardSignal]);
    });
  detachGit();
  const keepIn =
    <T>(kept: Set<T>) =>
    (one: T) => {
      kept.add(one);
      return () => void kept.delete(one);
    };
  interruption = { signal: () => heardSignal, listen: keepIn(listeners), beforeLeaving: keepIn(lastActs) };
  return interruption;
}

const later = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** Long enough for a signal that was just sent to be delivered. */
const LAST_WORDS_MS = 50;
/** What must be recorded is one transaction. */
const LAST_ACTS_MS = 3000;

function progress(given: ReadonlySet<string>): Progress {
  const isLive = () => host.isErrorTerminal && env["TERM"] !== "dumb";
  const mode = given.has("json") ? "events" : given.has("quiet") ? "none" : isLive() ? "live" : "lines";
  const isColourful = mode === "live" && useColour(true, env, given.has("no-color"));
  const columns = () => Math.max(process.stderr.columns || 80, 20);
  const redraw = frame(host.stderr, columns);
  return {
    mode,
    paint: isColourful ? colourPaint(80) : plainPaint(80),
    line: (text) =>
      mode === "events"
        ? host.stdout(`${guard(text, false)}\n`)
        : host.stderr(`${guard(text, isColourful)}\n`),
    redraw: (lines) => redraw(lines.map((line) => guard(line, isColourful))),
    columns,
    rows: () => Math.max(process.stderr.rows || 24, 4),
  };
}

function unwritten(thrown: unknown): number {
  if (!(thrown instanceof Unwritten)) throw thrown;
  // A terminal that was closed takes no more words.
  if (heardSignal !== undefined) return BY_SIGNAL[heardSignal];
  host.stderr(`pawl: done, but the answer could not be written (${thrown.message}).\n`);
  return EXIT_CODES.environment;
}

const LISTENING: ReadonlySet<string> = new Set(["run", "resume", "improve", "verify"]);

// Leaving at once, without closing the database, saves milliseconds on every call: the write-ahead log is durable as
// it is, and a writer that finds it long enough folds it in.
// What is begun by these ends in order from their first moment on.
if (LISTENING.has(process.argv.slice(2).find((word) => !word.startsWith("-")) ?? "")) listenForSignals();
void runCli(process.argv.slice(2), host, {
  version: PAWL_VERSION,
  commands: COMMANDS,
  home: async () => (await loadHomeText()).homeCommand,
})
  .catch(unwritten)
  // What a signal cut short has not failed, and a question that was left with Ctrl-C is not undecided.
  .then((code) => process.exit(code !== 0 && heardSignal !== undefined ? BY_SIGNAL[heardSignal] : code));
