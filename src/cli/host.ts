import type { Context } from "./context.ts";

/** An answer that could not be written: no one received it, and what was asked was done all the same. */
export class Unwritten extends Error {}

/** What the shell needs of the process around it, so that tests need none. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Writes all of the text before it returns, or throws `Unwritten`; a reader that went away is the host's concern. */
  readonly stdout: (text: string) => void;
  /** Never throws: the exit code says it too. */
  readonly stderr: (text: string) => void;
  /** Whether stdout is a terminal. */
  readonly isTerminal: boolean;
  /** Whether stderr is one; the two are redirected apart. */
  readonly isErrorTerminal: boolean;
  /** Undefined when the terminal does not say, or there is none. */
  readonly columns: number | undefined;
  /** Made only once a command is known to run; it gets the global flags that were given. */
  readonly context: (given: ReadonlySet<string>) => Promise<Context>;
}
