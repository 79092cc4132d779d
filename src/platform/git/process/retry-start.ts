import { Failure } from "../../../domain/index.ts";
import { sleep } from "../../index.ts";
import { diedForking, isGitDetached } from "./git-apart.ts";
import { hadNoRoom } from "./start-git.ts";

const LIMIT_MS = 10_000;
const PAUSE_MS = 50;

/**
 * Starts a git again that found no file number or process left: many workers side by side give theirs back in a moment.
 * So is one that a signal to Pawl ended before it began.
 *
 * Nothing had been started, so nothing is done twice.
 */
export async function retryStart<T>(start: () => Promise<T>, isRepeatable = true): Promise<T> {
  const begun = performance.now();
  for (;;) {
    let startedMs = 0;
    try {
      const starting = start();
      startedMs = performance.now();
      return await starting;
    } catch (error) {
      if (isRepeatable && (await wasForking(error, startedMs))) continue;
      const cause = error instanceof Failure ? error.cause : error;
      if (!hadNoRoom(cause) || (cause !== error && !isRepeatable)) throw error;
      if (performance.now() - begun > LIMIT_MS) throw noRoom(cause);
      await sleep(PAUSE_MS * (0.5 + Math.random()));
    }
  }
}

/** The end of a child may arrive before the signal that ended it. */
async function wasForking(error: unknown, startedMs: number): Promise<boolean> {
  if (!isGitDetached() || !(error instanceof Failure) || error.problem !== "git/stopped") return false;
  await sleep(PAUSE_MS);
  return diedForking(startedMs, error.details["signal"]);
}

const noRoom = (cause: unknown): Failure =>
  new Failure(
    "system/refused",
    `git could not be started for ${LIMIT_MS / 1000} s: the system has no room for more open files or processes (${(cause as NodeJS.ErrnoException).code}).`,
    {},
    {
      cause,
      hint: "Use fewer --workers, or allow more open files (`ulimit -n`), then run the command again.",
    },
  );
