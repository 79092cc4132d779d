import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Files } from "../../platform/ports/index.ts";
import type { QuickState } from "./quick-state.ts";

/** What is kept for a worktree, each in a file of its own. */
type Name = "line" | "stop";

/** A session can die without a trace in the files; a status bar looks for that after this long. */
const FRESH_MS: Readonly<Record<Name, number>> = { line: 10_000, stop: Infinity };

interface Kept {
  readonly top: string;
  readonly seen: string;
  readonly atMs: number;
  readonly text: string;
}

/**
 * The answer that was worked out last, while nothing has changed since.
 *
 * A status bar asks every second or so, and an agent stops after every turn. What they get is in the database, and
 * every change of that leaves another size or time on one of its two files; so looking at them is enough, and much
 * cheaper than opening them.
 */
export function cachedAnswer(quick: QuickState, name: Name, nowMs: number): string | undefined {
  try {
    const kept = JSON.parse(readFileSync(fileOf(quick, name), "utf8")) as Kept;
    const ageMs = nowMs - kept.atMs;
    const isFresh =
      ageMs >= 0 && ageMs < FRESH_MS[name] && kept.top === quick.top && kept.seen === cacheKeyOf(quick);
    return isFresh && typeof kept.text === "string" ? kept.text : undefined;
  } catch {
    return undefined;
  }
}

/** What the files look like now; to be asked before an answer is worked out, so that a change in between is noticed. */
export function cacheKeyOf({ stateDir, top }: QuickState): string {
  const sign = (path: string) => {
    const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
    return stat ? `${stat.ino}-${stat.size}-${stat.mtimeNs}` : "";
  };
  return [join(stateDir, "state.db"), join(stateDir, "state.db-wal"), join(top, "pawl.toml")]
    .map(sign)
    .join();
}

/** Only a convenience: what cannot be written is worked out anew the next time. */
export function cacheAnswer(files: Files, quick: QuickState, name: Name, kept: Omit<Kept, "top">): void {
  try {
    files.jot(fileOf(quick, name), JSON.stringify({ ...kept, top: quick.top }));
  } catch {
    // A state folder that cannot be written to, or is not there.
  }
}

/** One file for each worktree: many may be open at once. */
const fileOf = ({ stateDir, top }: QuickState, name: Name): string =>
  join(stateDir, `${name}-${Buffer.from(top).toString("base64url").slice(-40)}.json`);
