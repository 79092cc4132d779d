import { INTERRUPTED_BY, sessionName, SESSION_WORDS, STOPPED_WORD } from "../../domain/index.ts";
import type { CheckpointView, SessionView } from "../../sessions/index.ts";
import { displayWidth, shorten } from "./layout.ts";
import { nameWidth } from "./name-column.ts";
import { ago, localTime } from "./times.ts";
import type { Paint } from "./paint.ts";
import { paragraph } from "./paragraph.ts";

/** Where it is: `step-3, implement` or `iteration 3, implement-spec`. */
export const placeOf = ({ anchor, iteration, command }: CheckpointView, columns: number): string =>
  `${anchor === null ? `iteration ${iteration}` : shorten(anchor, nameWidth(columns))}, ${command}`;

/** A status in its words and its colour; a process that is stopped does not run. */
export function statusPaint({ status, stopped }: SessionStatus, paint: Paint): string {
  if (stopped !== null) return paint.yellow(STOPPED_WORD);
  const colour = { in_progress: paint.cyan, completed: paint.green, interrupted: paint.yellow } as const;
  return (colour[status as keyof typeof colour] ?? paint.red)(SESSION_WORDS[status]);
}

type SessionStatus = Pick<SessionView, "status" | "stopped">;

/** A session in one line, and a marker below it when it was interrupted. */
export function sessionLines(session: SessionView, paint: Paint, nowMs: number): readonly string[] {
  const { id, status, planPath, kind, at, startedAt, interruptedAt } = session;
  const painted = statusPaint(session, paint);
  const about = [kind ?? "session", planPath ?? "", at ? placeOf(at, paint.columns) : ""]
    .filter(Boolean)
    .join("  ");
  const head = `${paint.bold(sessionName(id))}  ${painted}`;
  const rest = [paint.plain(about), paint.dim(`started ${ago(startedAt, nowMs)}`)];
  const whole = [head, ...rest].join("  ");
  // Where a terminal would break it anywhere, its parts stand below each other.
  const first = displayWidth(whole) <= paint.columns ? [whole] : [head, ...rest.map((part) => `  ${part}`)];
  if (session.stopped !== null)
    return [
      ...first,
      ...paragraph(`⚠ ${session.stopped}`, 4, paint.columns)
        .split("\n")
        .map((line, index) => paint.yellow(index === 0 ? `  ${line}` : line)),
    ];
  // What was continued by another session, or is completed by now, needs no one's attention.
  if (status !== "interrupted" || session.resumeWith === null) return first;
  const [what, next] = marker(session, interruptedAt ?? startedAt, nowMs, paint.columns);
  const line = `  ${what}; ${next}`;
  // Where it does not fit, the command that people copy gets a line of its own.
  const lines =
    displayWidth(line) <= paint.columns
      ? [line]
      : [...`  ${paragraph(what, 4, paint.columns)}`.split("\n"), `    ${next}`];
  return [...first, ...lines.map(paint.yellow)];
}

function marker(
  { interruptionType, at, resumeWith, pausedUntil, here, worktree, host }: SessionView,
  when: string,
  nowMs: number,
  columns: number,
): readonly [string, string] {
  const where = at ? ` ${at.endedAt === null ? "at" : "after"} ${placeOf(at, columns)}` : "";
  const until = pausedUntil === null ? "" : `, waits until ${localTime(pausedUntil)}`;
  const there = here ? "" : `, in ${worktree} on machine ${host},`;
  return [
    `⚠ interrupted ${ago(when, nowMs)} ${INTERRUPTED_BY[interruptionType ?? "unknown"]}${where}${until}`,
    `resume${there} with: ${resumeWith}`,
  ];
}
