import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { gitIsApart } from "./git-apart.ts";
import type { Environment } from "./git-environment.ts";

export type GitChild = ChildProcessByStdio<Writable | null, Readable, Readable>;

export type SilentGit = ChildProcessByStdio<null, null, null>;

export interface GitStart {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
}

/**
 * Starts git, never through a shell.
 *
 * Where nothing is written to it there is no pipe: making one takes time, and git is often gone before it is closed.
 */
export const startGit = ({ args, cwd, env }: GitStart, writesTo: boolean): GitChild =>
  spawn("git", args, {
    cwd,
    env,
    windowsHide: true,
    detached: gitIsApart(),
    stdio: [writesTo ? "pipe" : "ignore", "pipe", "pipe"],
  }) as GitChild;

/** The same without any pipe: what it complains about goes to an open file. */
export const startSilentGit = ({ args, cwd, env }: GitStart, complaints: number): SilentGit =>
  spawn("git", args, {
    cwd,
    env,
    windowsHide: true,
    detached: gitIsApart(),
    stdio: ["ignore", "ignore", complaints],
  }) as SilentGit;
