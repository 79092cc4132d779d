import type { ExitFacts, ExitVerdict, Instant, StopCause, Usage } from "../../domain/index.ts";
import type { ProcessIdentity } from "./processes.ts";
import type { Containment } from "./sandbox.ts";

/** Runs one command at a time in a group of its own, and answers for everything it starts. */
export interface Supervisor {
  /** Throws when the program cannot be started; then nothing runs. */
  readonly start: (request: CommandRequest) => Promise<RunningCommand>;
  /** Whether anything of a command whose supervisor died is still there. */
  readonly isStillRunning: (record: ProcessRecord) => boolean;
  /** Ends what a dead supervisor left running, and nothing else: a number that was given to a stranger is not touched. */
  readonly stopLeftOver: (record: ProcessRecord, options?: { readonly graceMs?: number }) => Promise<Stopped>;
}

export interface CommandRequest {
  /** Program and arguments, one of which may be `PROMPT_FILE`. No shell reads it. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** What it may write, where Pawl itself contains it. */
  readonly containment?: Containment | undefined;
  /** All of it; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** The session it runs for. Everything it starts carries the name in its environment and is found by it. */
  readonly session: string;
  /** A folder that Pawl made for it, where no one else starts anything; undefined where people work as well. */
  readonly folder?: string | undefined;
  /** Kept in a file beside the log; `promptBy` says whether the command gets it on stdin or reads the file. */
  readonly prompt?: string | undefined;
  readonly promptBy: "stdin" | "file";
  /** Written before it starts, beside the log: what the command reads about how it is to work. */
  readonly file?: { readonly path: string; readonly text: string } | undefined;
  /** Folder and name of the log; the name must be new there. */
  readonly logFolder: string;
  readonly logName: string;
  /** What all logs of the folder together may take. */
  readonly logBudgetBytes?: number | undefined;
  readonly timeoutMs?: number | undefined;
  /** How long it may take to leave when it is asked to. */
  readonly graceMs?: number | undefined;
  /** Values that must not be kept (in the log, in what the reader says), by the names of their variables. */
  readonly secrets?: Readonly<Record<string, string>> | undefined;
  /** What its output means. */
  readonly reader: OutputReader;
  /** Whether the claim was lost meanwhile, so that an end by the heartbeat's signal differs from others. */
  readonly leaseLost?: (() => boolean) | undefined;
}

/** An argument that stands for the path of the file that the prompt is kept in. */
export const PROMPT_FILE = "{prompt_file}";

/** Takes output as it comes. */
export interface OutputReader {
  readonly stdout: (chunk: Uint8Array) => void;
  readonly stderr: (chunk: Uint8Array) => void;
  /** The last lines for people, safe for a terminal. */
  readonly lines: () => readonly string[];
  readonly end: (exit: Exit) => { readonly report: CommandReport; readonly facts: ExitFacts };
}

export interface Exit {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly stopped: StopCause | undefined;
}

/** What is known of a run from its output. */
export interface CommandReport {
  /** The agent's own name for the conversation. */
  readonly sessionId: string | undefined;
  readonly result: { readonly ok: boolean; readonly because?: "turns" } | undefined;
  readonly usage: Usage;
  /** What all runs of its conversation used, where the agent reports that. */
  readonly conversation?: Usage | undefined;
  /** What it wanted to do and was refused, each once. */
  readonly refusals?: readonly string[] | undefined;
  /** The end of what it said, for spec ids and for people. */
  readonly answer: string;
  /** What it said last, after its last use of a tool. */
  readonly closing: string;
}

/**
 * Enough to find a command again after its supervisor died, and to be sure that it is the same one. Plain data: it is
 * stored before the command is waited for.
 */
export interface ProcessRecord extends ProcessIdentity {
  readonly group: number;
  readonly session: string;
  readonly bootId: string;
  readonly hostId: string;
  /** What its output goes to; any other process that holds it was started by it. */
  readonly streams: readonly string[];
  /** The folder that was made for it; records of older versions do not tell. */
  readonly folder?: string | undefined;
}

export interface RunningCommand {
  readonly record: ProcessRecord;
  readonly logPath: string;
  readonly promptPath: string | undefined;
  /** The last lines, safe to show. */
  readonly lastLines: () => readonly string[];
  /** Whether it still does something, as against merely living. */
  readonly progress: () => { readonly bytes: number; readonly lastOutputAt: Instant | undefined };
  /** Asks, waits, forces; for everything the command started. Asked again it forces at once. */
  readonly stop: (cause: StopCause) => Promise<void>;
  readonly ended: Promise<SupervisedEnd>;
}

export interface SupervisedEnd extends Exit {
  readonly verdict: ExitVerdict;
  readonly report: CommandReport;
  readonly startedAt: Instant;
  readonly endedAt: Instant;
  readonly durationMs: number;
  readonly lastLines: readonly string[];
  readonly log: LogSummary;
  /** What it had left running and was ended after it. */
  readonly swept: readonly ProcessIdentity[];
  /** What could not be ended. No other worker may use the same folder while it lives. */
  readonly leftRunning: readonly ProcessIdentity[];
}

/** The files of one log in reading order: its beginning, what came before the newest part, the newest part. */
export const logParts = (path: string): readonly string[] => [`${path}.head`, `${path}.prev`, path];

export interface LogSummary {
  readonly path: string;
  readonly bytes: number;
  /** Left out in the middle, because the output was longer than a log may be. */
  readonly droppedBytes: number;
  /** Why the log is not complete otherwise, such as a full disk. */
  readonly problem: string | undefined;
}

export interface Stopped {
  readonly stopped: readonly ProcessIdentity[];
  readonly left: readonly ProcessIdentity[];
}
