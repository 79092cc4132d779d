import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { isGitDetached } from "./git-apart.ts";
import type { Environment } from "./git-environment.ts";
import { launchGit, launchSilentGit } from "./launcher.ts";
import type { NamelessFile } from "./unlinked-file.ts";

export type GitChild = ChildProcessByStdio<Writable | null, Readable, Readable | null>;

export type SilentGit = ChildProcessByStdio<null, null, null>;

/** What git reads: all of it, or as it comes. */
export type GitInput = string | Uint8Array | AsyncIterable<Uint8Array>;

export interface GitStart {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
  /**
   * An open file that takes what git and its hooks complain about, instead of a pipe of Node's: that is a socket, which
   * no hook can open as `/dev/stderr`.
   */
  readonly complaints?: NamelessFile | undefined;
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
  const { args, cwd, env, complaints } = start;
  const isWhole = input === undefined || typeof input === "string" || input instanceof Uint8Array;
  const launched = isWhole ? launchGit(start, input) : undefined;
  if (launched) return launched;
  return started(
    spawn("git", args, {
      cwd,
      env,
      windowsHide: true,
      detached: isGitDetached(),
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", complaints?.fd ?? "pipe"],
    }) as GitChild,
    complaints,
  );
}

function started(child: GitChild, complaints: NamelessFile | undefined): GitChild {
  if ((child.stdout as Readable | undefined) !== undefined) return child;
  // The event still comes, and must not end the process.
  child.on("error", () => undefined);
  complaints?.take(0);
  throw Object.assign(new Error("no file or process is left to start git with"), { code: "EMFILE" });
}

/** The same without any pipe. */
export function startSilentGit(start: GitStart & { readonly complaints: NamelessFile }): SilentGit {
  const { args, cwd, env, complaints } = start;
  const launched = launchSilentGit(start);
  if (launched) return launched;
  return spawn("git", args, {
    cwd,
    env,
    windowsHide: true,
    detached: isGitDetached(),
    stdio: ["ignore", "ignore", complaints.fd],
  }) as SilentGit;
}
