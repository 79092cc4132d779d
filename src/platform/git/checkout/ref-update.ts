import { Failure } from "../../../domain/index.ts";
import { lockComplaint } from "../locks/lock-failure.ts";
import { lockWaiter } from "../locks/wait-for-lock.ts";
import type { RunGit } from "../process/run-git.ts";
import { LONG_CALL_MS } from "../process/long-call.ts";

export interface RefUpdate {
  readonly ref: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Moves a ref around some work: git holds the ref where it was until the work is done, and moves it then.
 *
 * When the ref is elsewhere by then, or a hook of the user's says no, the work is never begun and the answer is false or
 * the failure. When this process dies, git notices that its input has ended and lets the ref be.
 */
export async function aroundRefUpdate(
  run: RunGit,
  worktree: string,
  update: RefUpdate,
  work: () => Promise<void>,
): Promise<boolean> {
  const wait = lockWaiter();
  let isBegun = false;
  const begin = (): Promise<void> => {
    isBegun = true;
    return work();
  };
  for (;;)
    try {
      return await tryUpdate(run, worktree, update, begin);
    } catch (error) {
      if (!isBegun && isElsewhere(error)) return false;
      // Git has waited by itself. What is left to find out is whether a killed git left the lock; then it moves aside. Work
      // that was begun has moved files: its caller repairs that.
      const said = isBegun ? undefined : lockComplaint(error);
      if (said === undefined || !(await wait(said))) throw error;
    }
}

async function tryUpdate(
  run: RunGit,
  worktree: string,
  { ref, from, to }: RefUpdate,
  work: () => Promise<void>,
): Promise<boolean> {
  let answer = "";
  let isPrepared = (): void => {};
  const prepared = new Promise<void>((resolve) => (isPrepared = resolve));
  async function* input(): AsyncGenerator<Uint8Array> {
    const updates = [`update ORIG_HEAD ${from}`, "option no-deref", `update ${ref} ${to} ${from}`];
    yield Buffer.from(["start", ...updates, "prepare", ""].join("\n"));
    await prepared;
    await work();
    yield Buffer.from("commit\n");
  }
  await run({
    args: ["update-ref", "--stdin", "-m", "pawl: merge: Fast-forward"],
    access: "write",
    worktree,
    input: input(),
    timeoutMs: LONG_CALL_MS,
    onOutput(chunk) {
      answer += chunk.toString("utf8");
      if (answer.includes("prepare: ok\n")) isPrepared();
    },
  });
  // Git ends well also when it was cut off before the word to move.
  if (answer.includes("commit: ok\n")) return true;
  throw new Failure("git/failed", `git did not move ${ref}.`, { ref });
}

const isElsewhere = (error: unknown): boolean =>
  error instanceof Failure && /but expected|unable to resolve reference/.test(JSON.stringify(error.details));
