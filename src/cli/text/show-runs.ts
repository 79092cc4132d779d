import { INTERRUPTED_BY, fromInstant, plural, sessionName } from "../../domain/index.ts";
import type { RunView } from "../../views/index.ts";
import { displayWidth, shorten, truncate } from "./layout.ts";
import { nameWidth } from "./name-column.ts";
import type { Paint } from "./paint.ts";
import { paragraph } from "./paragraph.ts";
import { clockTime } from "./progress-line.ts";
import { placeOf, sessionLines, statusPaint } from "./show-sessions.ts";
import { ago, localTime } from "./times.ts";

/** What the agent of a session said last, by the session's id. */
export type LastWords = ReadonlyMap<string, string>;

/** A run in one line, a marker below it when it was interrupted, and its workers below that. One worker is a session. */
export function runLinesOf(
  run: RunView,
  paint: Paint,
  nowMs: number,
  said: LastWords = new Map(),
): readonly string[] {
  const [first] = run.sessions;
  if (run.sessions.length === 1 && first)
    return [
      ...sessionLines(first, paint, nowMs),
      ...(said.has(first.id) ? [dimLine(`   ${nowText(first, nowMs, said)}`, paint)] : []),
    ];
  const { runId, kind, planPath, status, startedAt, sessions } = run;
  const head = `${paint.bold(sessionName(runId))}  ${statusPaint({ status, stopped: stoppedIn(run) }, paint)}`;
  const about = [kind ?? "run", planPath ?? "", plural(sessions.length, "worker")].filter(Boolean).join("  ");
  const rest = [paint.plain(about), paint.dim(`started ${ago(startedAt, nowMs)}`)];
  const whole = [head, ...rest].join("  ");
  return [
    ...(displayWidth(whole) <= paint.columns ? [whole] : [head, ...rest.map((part) => `  ${part}`)]),
    ...markerLines(run, nowMs, paint.columns).map(paint.yellow),
    ...sessions.map((session) => workerLine(session, paint, nowMs, said)),
  ];
}

/** One process runs all of its workers. */
const stoppedIn = ({ sessions }: RunView): string | null =>
  sessions.flatMap((one) => one.stopped ?? [])[0] ?? null;

function markerLines(run: RunView, nowMs: number, columns: number): readonly string[] {
  const { status, sessions, resumeWith, interruptionType, endedAt, startedAt, pausedUntil, here } = run;
  const stopped = stoppedIn(run);
  if (stopped !== null) return `  ${paragraph(`⚠ ${stopped}`, 4, columns)}`.split("\n");
  if (status !== "interrupted" || resumeWith === null) return [];
  const until = pausedUntil === null ? "" : `, waits until ${localTime(pausedUntil)}`;
  const by = INTERRUPTED_BY[interruptionType ?? "unknown"];
  const what = `⚠ interrupted ${ago(endedAt ?? startedAt, nowMs)} ${by}${until}`;
  const there = here ? "" : ` on machine ${sessions[0]!.host}`;
  const next = `resume${there} with: ${resumeWith}`;
  const line = `  ${what}; ${next}`;
  // Where it does not fit, the command that people copy gets a line of its own.
  return displayWidth(line) <= columns
    ? [line]
    : [...`  ${paragraph(what, 4, columns)}`.split("\n"), `    ${next}`];
}

type Worker = RunView["sessions"][number];

function workerLine(session: Worker, paint: Paint, nowMs: number, said: LastWords): string {
  const { id, status, worktree, at } = session;
  const folder = shorten(worktree.split("/").at(-1) ?? worktree, nameWidth(paint.columns));
  const isIdle = status === "in_progress" && at !== null && at.endedAt !== null;
  const where = at === null ? "" : isIdle ? "waiting for its next command" : placeOf(at, paint.columns);
  return dimLine(`    ${sessionName(id)}  ${folder}  ${where}${nowText(session, nowMs, said)}`, paint);
}

const dimLine = (line: string, paint: Paint): string => paint.dim(truncate(line.trimEnd(), paint.columns));

/** How long its agent is at its command, and the last that it said, where a person watches. */
function nowText({ id, at }: Worker, nowMs: number, said: LastWords): string {
  const words = said.get(id);
  if (words === undefined || at === null) return "";
  return ` ${clockTime(nowMs - fromInstant(at.startedAt))}  ${words}`;
}
