import { Failure, safeText, sessionName } from "../../domain/index.ts";
import type { Pawl } from "../../api.ts";
import { BY_SIGNAL } from "../by-signal.ts";
import { ALL_PRINTED, defineCommand } from "../command.ts";
import type { Context } from "../context.ts";
import { snakeCase } from "../../journal/index.ts";
import type { Paint } from "../text/paint.ts";

const POLL_MS = 200;

export const sessionsLogsCommand = defineCommand({
  name: "sessions logs",
  more: `The last command's unless another is named by its number, as \`pawl sessions show\` lists them. What an agent prints for
programs is shown in words, a line for each thing it said or did; --raw shows it as it was printed. --events gives what the
page shows: words, calls with what they changed, results and refusals. --find without a session searches all logs.`,
  operands: [{ name: "session", about: "The session, or the beginning of its id", required: false }],
  options: {
    command: { type: "number", value: "N", about: "The output of this command" },
    follow: { type: "flag", streams: true, about: "Keep printing until the session ends or is interrupted" },
    raw: { type: "flag", about: "As it was printed" },
    events: { type: "flag", about: "What was said and done, as events" },
    find: {
      type: "text",
      value: "TEXT",
      about: "Only events with this text; without a session, of all sessions",
    },
    errors: { type: "flag", about: "Only what failed or was refused" },
  },
  examples: [
    "pawl sessions logs s-1f0c",
    "pawl sessions logs s-1f0c --follow",
    "pawl sessions logs s-1f0c --errors",
    'pawl sessions logs --find "connection refused"',
  ],
  async run(context, { command, follow, raw, events, find, errors }, [id]) {
    const pawl = await context.pawl();
    if (id === undefined) {
      if (find === undefined)
        throw new Failure(
          "usage/wrong",
          "Name a session.",
          {},
          { hint: "Run `pawl sessions list` to see them, or search all logs with --find TEXT." },
        );
      return searchAll(pawl, find, errors);
    }
    if (events || find !== undefined || errors) {
      const found = await pawl.wholeTranscript({ id, command, find, errors });
      return {
        data: snakeCase(found),
        text: () => found.events.flatMap(eventLines).map(safeText).join("\n"),
      };
    }
    if (follow) return followLogs(context, pawl, id, raw);
    const { next: _next, isLive: _isLive, ...log } = await pawl.readLog({ id, command, raw });
    if (log.path === null)
      throw new Failure("session/unknown", `Session ${log.sessionId} has no such log.`, {
        session_id: log.sessionId,
        command,
      });
    return { data: snakeCase(log), text: () => log.lines.map(safeText).join("\n") };
  },
});

type TranscriptEvent = Awaited<ReturnType<Pawl["wholeTranscript"]>>["events"][number];

/** What was said as it was said; what was done and what came of it indented below each other. */
function eventLines(event: TranscriptEvent): readonly string[] {
  if (event.kind === "call") return [`> ${event.tool} ${event.detail ?? ""}`.trimEnd()];
  if (event.kind === "refused") return [`! refused: ${event.what}`];
  const lines = (event.text ?? "").trimEnd().split("\n");
  if (event.kind === "result") return lines.map((line) => `  ${event.ok ? "" : "! "}${line}`);
  return event.kind === "end" ? (event.ok ? [] : lines.map((line) => `! ${line}`)) : lines;
}

/** One line for each place, with the call that shows the rest. */
async function searchAll(pawl: Pawl, find: string, errors: boolean | undefined) {
  const found = await pawl.searchLogs({ find, errors });
  return {
    data: snakeCase(found),
    text: (paint: Paint) =>
      found.matches.length === 0
        ? paint.plain(`No log has ${JSON.stringify(find)} in it.`)
        : [
            ...found.matches.map(
              ({ sessionId, command, anchor, line }) =>
                `${paint.bold(sessionName(sessionId))} --command ${command}  ${paint.plain(anchor ?? "")}  ${paint.plain(line)}`,
            ),
            ...(found.isMore ? [paint.plain("There are more; these are the newest.")] : []),
          ].join("\n"),
  };
}

/** From the command that runs now, or ran last, on. */
async function followLogs(context: Context, pawl: Pawl, id: string, raw: boolean | undefined) {
  const read = new Map<number, number>();
  let first: number | undefined;
  for (;;) {
    const { checkpoints, status } = await pawl.showSession({ id });
    first ??= checkpoints.at(-1)?.number;
    for (const { number, log, endedAt } of checkpoints) {
      if (first === undefined || number < first || log === null || !context.files.exists(log)) continue;
      const { lines, next } = await pawl.readLog({ id, command: number, raw, after: read.get(number) ?? 0 });
      read.set(number, next);
      for (const line of lines) if (!context.stream.line(safeText(line))) return ALL_PRINTED;
      // A command that has ended says nothing more.
      if (endedAt !== null) first = Math.max(first, number);
    }
    if (status !== "in_progress") return ALL_PRINTED;
    if (!(await context.stream.pause(POLL_MS))) return { ...ALL_PRINTED, exitCode: BY_SIGNAL.SIGINT };
  }
}
