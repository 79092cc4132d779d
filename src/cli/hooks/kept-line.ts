import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NearState } from "./near-state.ts";

/** A session can die without a trace in the files; after this long it is looked for. */
const FRESH_MS = 10_000;

interface Kept {
  readonly top: string;
  readonly seen: string;
  readonly atMs: number;
  readonly line: string;
}

/**
 * The line that was worked out last, while nothing has changed since.
 *
 * A status bar asks every second or so. What it is told is in the database, and every change of that leaves another
 * size or time on one of its two files; so looking at them is enough, and much cheaper than opening them.
 */
export function keptLine(near: NearState, nowMs: number): string | undefined {
  try {
    const kept = JSON.parse(readFileSync(fileOf(near), "utf8")) as Kept;
    const ageMs = nowMs - kept.atMs;
    const isFresh = ageMs >= 0 && ageMs < FRESH_MS && kept.top === near.top && kept.seen === seenOf(near);
    return isFresh && typeof kept.line === "string" ? kept.line : undefined;
  } catch {
    return undefined;
  }
}

/** What the files look like now; to be asked before the line is worked out, so that a change in between is noticed. */
export function seenOf({ stateDir, top }: NearState): string {
  const sign = (path: string) => {
    const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
    return stat ? `${stat.ino}-${stat.size}-${stat.mtimeNs}` : "";
  };
  return [join(stateDir, "state.db"), join(stateDir, "state.db-wal"), join(top, "pawl.toml")]
    .map(sign)
    .join();
}

/** Only a convenience: what cannot be written is worked out anew the next time. */
export function keepLine(near: NearState, kept: Omit<Kept, "top">): void {
  try {
    const path = fileOf(near);
    writeFileSync(`${path}.new`, JSON.stringify({ ...kept, top: near.top }), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch {
    // A state folder that cannot be written to, or is not there.
  }
}

/** One file for each worktree: many may be open at once. */
const fileOf = ({ stateDir, top }: NearState): string =>
  join(stateDir, `line-${Buffer.from(top).toString("base64url").slice(-40)}.json`);
