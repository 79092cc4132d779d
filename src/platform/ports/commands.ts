import type { Interruption } from "./interruption.ts";

/** Programs other than git, as they are on PATH. */
export interface Commands {
  /** Runs a program with its arguments, never through a shell, and waits for its end. */
  readonly run: (argv: readonly string[], options: CommandOptions) => Promise<CommandEnd>;
  /** Where each of the programs is; those that are not on PATH are left out. Paths are taken from the folder. */
  readonly find: (names: readonly string[], from?: string) => Readonly<Record<string, string>>;
  /** The version of a program, where its package tells it; nothing is started. */
  readonly version: (path: string) => string | undefined;
}

export interface CommandOptions {
  readonly cwd: string;
  /** What it reads; nothing when left out. */
  readonly input?: string;
  readonly timeoutMs?: number;
  /** By which it is asked to end, with all that it started, and forced to at the second time. */
  readonly interruption?: Interruption | undefined;
}

export interface CommandEnd {
  readonly ok: boolean;
  /** `ended with exit code 1`, `was stopped by SIGKILL`, `was not found on PATH`. */
  readonly ending: string;
  /** The last part of what it wrote, both streams. */
  readonly output: string;
}
