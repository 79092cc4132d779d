import { tmpdir } from "node:os";
import { Failure } from "../../../domain/index.ts";
import type { Worktree } from "../../ports/index.ts";
import type { Environment } from "./git-environment.ts";
import { heldLockFailure } from "../locks/lock-failure.ts";
import { lockWaiter } from "../locks/wait-for-lock.ts";
import { gitCommandIn, gitStopped, isStopped } from "./run-git.ts";
import { releasePipes } from "./release-pipes.ts";
import { startGit } from "./start-git.ts";
import { retryStart } from "./retry-start.ts";
import { namelessFile } from "./unlinked-file.ts";

export interface WorktreeCall {
  readonly args: readonly string[];
  readonly access: "read" | "write";
  readonly input?: string | Uint8Array;
  /** Another index than the worktree's own. */
  readonly indexFile?: string;
  /** As of `GitCall`. */
  readonly fsync?: string;
}

/** How git ended. Unlike where the common directory is asked, a refusal is an answer here: hooks refuse. */
export interface WorktreeAnswer {
  readonly code: number | null;
  readonly stdout: Buffer;
  /** The end of it: what a hook complains about comes last. */
  readonly stderr: string;
}

export type RunInWorktree = (worktree: Worktree, call: WorktreeCall) => Promise<WorktreeAnswer>;

/** Hooks run the user's tests; after an hour, a hook waits for a person. */
const LONGEST_MS = 60 * 60 * 1000;

/**
 * Git inside a worktree, as if its user had called it there, but for the variables that steer git elsewhere.
 *
 * Git finds the repository by the `.git` in the folder. If that is gone by now, git must not walk on to the folders
 * above: there it would find, and change, another checkout.
 */
export function worktreeGit(env: Environment): RunInWorktree {
  return async (worktree, call) => {
    const wait = lockWaiter();
    for (;;) {
      const answer = await retryStart(() => once(env, worktree, call));
      const said = lockOf(answer);
      if (said === undefined) return answer;
      if (!(await wait(said))) throw heldLockFailure(said);
    }
  };
}

/**
 * Another git is at work in the same place; Pawl waits for its lock.
 *
 * Only the first line counts: the lock of the index is taken before any hook runs, and what a hook says may be anything.
 */
const lockOf = ({ code, stderr }: WorktreeAnswer): string | undefined =>
  code === 0 ? undefined : IN_THE_WAY.exec(stderr)?.[0];

/** A lock, or a `git gc` that took away an empty folder of objects just before git put one there. */
const IN_THE_WAY =
  /^(?:fatal|error): (?:cannot lock ref '[^\n']*': )?Unable to create '[^\n]*\.lock': File exists|^error: unable to write file (?=[^\n]*objects)[^\n]*: No such file/;

/** In English, and in a character set that the user's hooks can print in. */
const PRINTABLE = { LC_ALL: "C.UTF-8" } as const;

function once(env: Environment, { path }: Worktree, call: WorktreeCall): Promise<WorktreeAnswer> {
  return new Promise((settle, fail) => {
    const start = gitCommandIn(path, env, { ...call, variables: PRINTABLE });
    const complaints = call.access === "write" ? namelessFile(tmpdir()) : undefined;
    const child = startGit({ ...start, complaints }, call.input);
    const chunks: Buffer[] = [];
    let stderr = "";
    const hear = (text: string) => (stderr = cut(stderr + text));
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr?.setEncoding("utf8").on("data", hear);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill("SIGTERM");
    }, LONGEST_MS);
    timer.unref();
    child.on("error", (cause) => {
      clearTimeout(timer);
      complaints?.take(0);
      fail(new Failure("git/failed", `git could not be started in ${path}.`, { worktree: path }, { cause }));
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      complaints?.takeAll((chunk) => hear(chunk.toString("utf8")));
      if (isStopped(signal) && !isLate) return fail(gitStopped(call.args, signal));
      settle({ code, stdout: Buffer.concat(chunks), stderr });
    });
    // A hook may leave a process behind that keeps our pipes open; git itself has said everything.
    const pipes = child.stderr === null ? [child.stdout] : [child.stdout, child.stderr];
    child.on("exit", () => releasePipes(pipes, GRACE_MS));
    child.stdin?.on("error", () => {});
    child.stdin?.end(call.input);
  });
}

const GRACE_MS = 1_000;
const MAX_SAID = 16 << 10;

/** The first line tells what failed, the last ones why. */
function cut(text: string): string {
  if (text.length <= MAX_SAID) return text;
  const first = text.slice(0, Math.min(text.indexOf("\n") + 1 || 200, 200));
  return `${first}…\n${text.slice(-(MAX_SAID - 300))}`;
}
