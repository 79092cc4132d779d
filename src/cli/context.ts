import type { Files } from "../ports/files.ts";

/** What a command may use. Everything costly opens on first use, so that `pawl --help` touches nothing. */
export interface Context {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly files: Files;
}
