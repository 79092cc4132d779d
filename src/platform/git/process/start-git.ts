import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { isGitDetached } from "./git-apart.ts";
import type { Environment } from "./git-environment.ts";
import { launchGit, launchSilentGit } from "./launcher.ts";

export type GitChild = ChildProcessByStdio<Writable | null, Readable, Readable>;

export type SilentGit = ChildProcessByStdio<null, null, null>;

/** What git reads: all of it, or as it comes. */
export type GitInput = string | Uint8Array | AsyncIterable<Uint8Array>;

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
 * Starts git. No text of a plan, a path or a message is read as a command, also where a shell starts it.
 *
 * Without a file number to spare there are no pipes at all, and the failure arrives later, as an event that may have no listener yet:
 * so it is thrown here, and the caller has one thing to catch.
 *
 * Where nothing is written to it there is no pipe: making one takes time, and git is often gone before it is closed.
 */
export function startGit(start: GitStart, input?: GitInput): GitChild {
  const { args, cwd, env } = start;
  const isWhole = input === undefined || typeof input === "string" || input instanceof Uint8Array;
  const launched = isWhole ? launchGit(start, input) : undefined;
  if (launched) return launched;
  return started(
    spawn("git", args, {
      cwd,
      env,
      windowsHide: true,
      detached: isGitDetached(),
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    }) as GitChild,
  );
}

function started(child: GitChild): GitChild {
  if ((child.stdout as Readable | undefined) !== undefined) return child;
  // The event still comes, and must not end the process.
  child.on("error", () => undefined);
  throw Object.assign(new Error("no file or process is left to start git with"), { code: "EMFILE" });
}

/** The same without any pipe: what it complains about goes to an open file. */
export function startSilentGit(start: GitStart, complaints: number): SilentGit {
  const { args, cwd, env } = start;
  const launched = launchSilentGit(start, complaints);
  if (launched) return launched;
  return spawn("git", args, {
    cwd,
    env,
    windowsHide: true,
    detached: isGitDetached(),
    stdio: ["ignore", "ignore", complaints],
  }) as SilentGit;
}
