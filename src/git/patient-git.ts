import { Failure } from "../domain/errors.ts";
import type { RunGit } from "./run-git.ts";

const LIMIT_MS = 10_000;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 400;

/** What git says when somebody else holds the lock of the index, of a ref or of the configuration. */
const LOCKED = /\.lock': File exists|could not lock config file|index\.lock/;

/**
 * Tries a call again while another git command holds a lock that it needs.
 *
 * A lock that stays is never removed: its owner may be a slow hook or a person's editor, and removing it under them
 * breaks the index. After the limit the failure says whose lock it was.
 */
export function patientGit(run: RunGit, limitMs = LIMIT_MS): RunGit {
  return async (call) => {
    const start = performance.now();
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        return await run(call);
      } catch (error) {
        const lock = lockIn(error);
        if (lock === undefined) throw error;
        if (performance.now() - start > limitMs) throw stillLocked(lock, limitMs, error);
        // Two that wait for each other's lock must not stay in step.
        await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + Math.random())));
      }
    }
  };
}

function lockIn(error: unknown): string | undefined {
  if (!(error instanceof Failure) || error.problem !== "git/failed") return undefined;
  const lines = error.details["stderr"];
  return Array.isArray(lines) ? lines.map(String).find((line) => LOCKED.test(line)) : undefined;
}

const stillLocked = (said: string, limitMs: number, cause: unknown): Failure =>
  new Failure(
    "git/busy",
    `Another git command held its lock for ${limitMs / 1000} s: ${said.replace(/^(?:fatal|error): /, "")}`,
    { lock: /'([^']+\.lock)'/.exec(said)?.[1] ?? null },
    { cause },
  );
