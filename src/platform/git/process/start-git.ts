import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { isGitDetached } from "./git-apart.ts";
import type { Environment } from "./git-environment.ts";

export type GitChild = ChildProcessByStdio<Writable | null, Readable, Readable>;

export type SilentGit = ChildProcessByStdio<null, null, null>;

export interface GitStart {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
}

/** What the system says when it has no room for one more process or file; others give theirs back in a moment. */
const NO_ROOM: ReadonlySet<string> = new Set(["EMFILE", "ENFILE", "EAGAIN", "ENOMEM"]);

export const hadNoRoom = (cause: unknown): boolean =>
  NO_ROOM.has((cause as NodeJS.ErrnoException | undefined)?.code ?? "");

/**
 * Starts git, never through a shell.
 *
 * Without a file number to spare there are no pipes at all, and the failure arrives later, as an event that may have no listener yet:
 * so it is thrown here, and the caller has one thing to catch.
 *
 * Where nothing is written to it there is no pipe: making one takes time, and git is often gone before it is closed.
 */
export const startGit = ({ args, cwd, env }: GitStart, writesTo: boolean): GitChild =>
  started(
    spawn("git", args, {
      cwd,
      env,
      windowsHide: true,
      detached: isGitDetached(),
      stdio: [writesTo ? "pipe" : "ignore", "pipe", "pipe"],
    }) as GitChild,
  );

function started(child: GitChild): GitChild {
  if ((child.stdout as Readable | undefined) !== undefined) return child;
  // The event still comes, and must not end the process.
  child.on("error", () => undefined);
  throw Object.assign(new Error("no file or process is left to start git with"), { code: "EMFILE" });
}

/** The same without any pipe: what it complains about goes to an open file. */
export const startSilentGit = ({ args, cwd, env }: GitStart, complaints: number): SilentGit =>
  spawn("git", args, {
    cwd,
    env,
    windowsHide: true,
    detached: isGitDetached(),
    stdio: ["ignore", "ignore", complaints],
  }) as SilentGit;
