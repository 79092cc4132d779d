import type { Failure } from "../domain/errors.ts";
import type { Pawl } from "../pawl.ts";
import type { Files } from "../ports/files.ts";

/** What a command may use. Everything costly opens on first use, so that `pawl --help` touches nothing. */
export interface Context {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly files: Files;
  /** The answer goes out as an envelope: what only the text shows need not be asked for. */
  readonly isForPrograms?: boolean;
  /** What the verbs said beside their answers. */
  readonly notices?: readonly Failure[];
  /** The verbs, on the repository around `cwd`. */
  readonly pawl: () => Promise<Pawl>;
  /** What was piped in; undefined when nothing was. */
  readonly stdin: () => Promise<string | undefined>;
  /** For commands that go on talking: prints a line at once. Resolves when the reader has gone or a signal came. */
  readonly stream: Stream;
}

export interface Stream {
  /** False when nobody reads any more. */
  readonly line: (text: string) => boolean;
  /** Waits; false when it was woken by a signal to stop. */
  readonly pause: (ms: number) => Promise<boolean>;
}
