import { existsSync, mkdirSync, realpathSync } from "node:fs";
import type { Containment } from "../../ports/index.ts";

/**
 * A command line under bubblewrap: the whole file system as it is, read-only, and a few folders writable.
 *
 * Processes, network and devices stay shared. The agent must reach its model, Pawl finds what it starts in the list of
 * processes, and the verbs that it calls find their session there. So this keeps files safe from mistakes; it is no
 * prison for a program that wants out.
 */
export function contained(argv: readonly string[], cwd: string, containment: Containment): readonly string[] {
  const { program, writable, kept, own } = containment;
  for (const folder of own) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const binds = (option: string, paths: readonly string[]) =>
    paths.flatMap((path) => (existsSync(path) ? [option, real(path), real(path)] : []));
  return [
    program,
    ...binds("--ro-bind", ["/"]),
    ...binds("--dev-bind", ["/dev"]),
    ...binds("--bind", [...writable, ...own]),
    // Last: what is mounted later covers what was mounted before.
    ...binds("--ro-bind", kept),
    ...folderOf(cwd),
    ...argv,
  ];
}

const folderOf = (cwd: string): readonly string[] => ["--chdir", cwd, "--"];

/** Bubblewrap mounts on what a link points to, so it is given that. */
const real = (path: string): string => realpathSync(path);

/** The last of the signals that end a program; later ones mean something else, or nothing. */
const LAST_DEADLY = 15;

/**
 * The signal that ended a contained command. Bubblewrap tells it in its exit code, as a shell does. Larger codes are the
 * program's own: gemini ends with the status of its server, and 401 arrives as 145.
 */
export function signalOfExit(exitCode: number | undefined, signals: Readonly<Record<string, number>>) {
  if (exitCode === undefined || exitCode <= 128 || exitCode > 128 + LAST_DEADLY) return undefined;
  return Object.entries(signals).find(([, number]) => number === exitCode - 128)?.[0];
}
