import type { Failure } from "../domain/index.ts";
import type { Pawl } from "../api.ts";
import type { Files, Interruption, StopSignal } from "../platform/ports/index.ts";
import type { Paint } from "./text/paint.ts";

/** What a command may use. Everything costly opens on first use, so that `pawl --help` touches nothing. */
export interface Context {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly files: Files;
  /** The answer goes out as an envelope: what only the text shows need not be asked for. */
  readonly isForPrograms?: boolean;
  /** What the verbs said beside their answers. */
  readonly notices?: readonly Failure[];
  /** The verbs, on the repository around `cwd` or around another folder. */
  readonly pawl: (folder?: string) => Promise<Pawl>;
  /** What was piped in; undefined when nothing was. It waits for what was asked for, as `-` does. */
  readonly stdin: (isAwaited?: boolean) => Promise<string | undefined>;
  /** What a program that waits for the answer has piped in, all of it; undefined when nothing was, or too much. */
  readonly event?: () => Promise<string | undefined>;
  /** For commands that go on talking. */
  readonly stream: Stream;
  /** Hears signals from now on, for commands that have something to tidy up. The second one ends the process. */
  readonly interruption: () => Interruption;
  readonly progress: Progress;
  /** Asks the person at the terminal for a key; undefined where there is no terminal, or no person is to be asked. */
  readonly ask?: AskKey | undefined;
  /** Asks the person at the terminal for a line; undefined like `ask`. */
  readonly askLine?: AskLine | undefined;
  /** Calls with each key pressed at the terminal until the answer is called; undefined like `ask`. */
  readonly keys?: WatchKeys | undefined;
  /** What the process serves for commands: interfaces never import each other. */
  readonly servers?: Servers;
}

export interface LineProcess {
  readonly send: (line: string) => void;
  readonly stop: () => void;
  /** Its exit code; 127 where it could not be started. */
  readonly ended: Promise<number>;
}

export interface Servers {
  /** Serves an agent over MCP until it goes; answers with the signal that ended it, if one did. */
  readonly serveAgent: (options: {
    readonly leaseSeconds: number | undefined;
    /** Where the agent works, relative to the current folder; found out when left out. */
    readonly worktree: string | undefined;
  }) => Promise<StopSignal | undefined>;
  /** Starts a program that is talked to in lines. */
  readonly talkTo: (program: readonly string[], onLine: (line: string) => void) => Promise<LineProcess>;
  readonly servePage: (options: {
    /** Undefined for the repository's own, so that addresses keep working; 0 for any that is free. */
    readonly port: number | undefined;
    readonly isReadOnly: boolean;
  }) => Promise<ServedPage>;
}

export interface ServedPage {
  readonly port: number;
  /** Good for one window; `onUsed` is called when that window has come. */
  readonly newLink: (onUsed?: () => void) => string;
  /** Resolves once no window is open; `onStaying` is called first when one is. */
  readonly whenUnwatched: (onStaying: () => void) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Shows a question and reads the line that answers it; undefined when the person leaves with Ctrl-D. */
export type AskLine = (question: string) => Promise<string | undefined>;

/** Shows a question and waits for one of these keys; undefined when none of them is wanted (Escape, Ctrl-D, a signal). */
export type AskKey = (question: readonly string[], keys: readonly string[]) => Promise<string | undefined>;

export type WatchKeys = (onKey: (key: string) => void) => Promise<() => void>;

/** How a command that works for long tells about it, beside its answer. */
export interface Progress {
  /** `events`: a line of JSON each, on stdout. `lines` and `live` go to stderr, for people. */
  readonly mode: "events" | "lines" | "live" | "none";
  /** With colours where the stream of people takes them. */
  readonly paint: Paint;
  readonly line: (text: string) => void;
  /** Replaces what was shown before with these lines, on a terminal. */
  readonly redraw: (lines: readonly string[]) => void;
  readonly columns: () => number;
  readonly rows: () => number;
}

export interface Stream {
  /** Prints it at once; false when no one reads any more. */
  readonly line: (text: string) => boolean;
  /** Waits; false when it was woken by a signal to stop. */
  readonly pause: (ms: number) => Promise<boolean>;
}
