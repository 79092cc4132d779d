import { fromInstant, isResumable, supersededOf } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import type { SeenOf } from "../rules/index.ts";
import {
  allSessions,
  heldBySession,
  isDead,
  isStoppedRunner,
  listCheckpoints,
  stillRunning,
  stoppedText,
} from "../../sessions/index.ts";
import type { SessionRow } from "../../platform/index.ts";

/** A session with what it is by now, whatever its row says. */
export interface ObservedSession {
  readonly row: SessionRow;
  readonly now: SeenOf<"session">["now"];
}

/** Every session that is not over, and those that were cut off and could go on. Looks, and records nothing. */
export async function readSessions(
  ports: Ports,
  donePlans: ReadonlySet<string>,
): Promise<readonly ObservedSession[]> {
  const rows = await allSessions(ports);
  const running = await stillRunning(ports);
  const superseded = supersededOf(rows, donePlans);
  const seen: ObservedSession[] = [];
  for (const row of rows) {
    // Years of sessions that are over cost nothing; neither do those that are never resumed.
    const isSeen = row.status === "in_progress" || isResumable(row, superseded) || running.has(row.id);
    if (!isSeen) continue;
    const found = { isSuperseded: superseded.has(row.id), isRunning: running.has(row.id) };
    seen.push({ row, now: situationOf(ports, row, found) });
  }
  return seen;
}

/** The rule by which a session ends, for one whose end is not noticed yet. */
const canGoOn = ({ kind, status, resumable, configuration }: SessionRow): boolean =>
  resumable === 1 || (status === "in_progress" && configuration !== null && kind !== "verify");

/** Sessions that only verify and whose process is gone, whether or not that is recorded. */
export async function lostVerifiers(ports: Ports): Promise<ReadonlySet<string>> {
  const lost = (await allSessions(ports)).filter(
    (row) =>
      row.kind === "verify" &&
      (row.status === "interrupted" ||
        (row.status === "in_progress" && row.host_id === ports.machine.hostId && isDead(ports, row))),
  );
  return new Set(lost.map(({ id }) => id));
}

function situationOf(
  ports: Ports,
  row: SessionRow,
  { isSuperseded, isRunning }: { readonly isSuperseded: boolean; readonly isRunning: boolean },
): ObservedSession["now"] {
  const isHere = row.host_id === ports.machine.hostId;
  return {
    state: stateOf(ports, row),
    resumable: canGoOn(row) ? "yes" : "no",
    pause: pauseOf(ports, row),
    host: isHere ? "here" : "elsewhere",
    superseded: isSuperseded ? "yes" : "no",
    worktree: isThere(ports, row.worktree) ? "there" : "missing",
    agent: isRunning ? "running" : "gone",
  };
}

function stateOf(ports: Ports, row: SessionRow): ObservedSession["now"]["state"] {
  if (row.status !== "in_progress") return row.status === "interrupted" ? "interrupted" : "over";
  if (isStoppedRunner(ports, row)) return "stopped";
  return row.host_id === ports.machine.hostId && isDead(ports, row) ? "dead" : "running";
}

function pauseOf({ clock }: Ports, row: SessionRow): ObservedSession["now"]["pause"] {
  if (row.interruption_type !== "usage_limit" || row.paused_until === null) return "none";
  return fromInstant(row.paused_until) > clock.wallMs() ? "waiting" : "over";
}

export function isThere(ports: Ports, path: string): boolean {
  try {
    ports.repository.worktree(path);
    return true;
  } catch {
    return false;
  }
}

/** With the words that people need to decide about them. */
export async function observeSessions(
  ports: Ports,
  sessions: readonly ObservedSession[],
): Promise<readonly SeenOf<"session">[]> {
  const database = await ports.database();
  const seen: SeenOf<"session">[] = [];
  for (const { row, now } of sessions) {
    const last = (await database.read((sql) => sql.all(listCheckpoints, { session_id: row.id }))).at(-1);
    const held = await database.read((sql) => heldBySession(sql, row.id));
    const where = last && `${last.anchor ?? `iteration ${last.iteration}`}, ${last.command}`;
    seen.push({
      kind: "session",
      now,
      facts: {
        id: row.id,
        run: row.run_id ?? undefined,
        plan: row.plan_path ?? undefined,
        worktree: row.worktree,
        steps: held.map(({ anchor }) => anchor),
        at: where,
        because:
          [row.interruption_type, row.interrupted_at].filter((text) => text !== null).join(", ") || undefined,
        pausedUntil: row.paused_until ?? undefined,
        snapshot: row.snapshot_ref?.split("/").at(-1),
        stopped: stoppedText(ports, row, held),
      },
    });
  }
  return seen;
}
