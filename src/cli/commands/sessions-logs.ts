import { Failure, safeText } from "../../domain/index.ts";
import type { Pawl } from "../../api.ts";
import { BY_SIGNAL } from "../by-signal.ts";
import { ALL_PRINTED, defineCommand } from "../command.ts";
import type { Context } from "../context.ts";
import { snakeCase } from "../../journal/index.ts";

const POLL_MS = 200;

export const sessionsLogsCommand = defineCommand({
  name: "sessions logs",
  more: `The last command's unless another is named by its number, as \`pawl sessions show\` lists them. What an agent prints for
programs is shown in words, a line for each thing it said or did; --raw shows it as it was printed.`,
  operands: [{ name: "session", about: "The session, or the beginning of its id", required: true }],
  options: {
    command: { type: "number", value: "N", about: "The output of this command" },
    follow: { type: "flag", streams: true, about: "Go on printing until the session ends or is interrupted" },
    raw: { type: "flag", about: "As it was printed" },
  },
  examples: ["pawl sessions logs s-1f0c", "pawl sessions logs s-1f0c --follow"],
  async run(context, { command, follow, raw }, [id = ""]) {
    const pawl = await context.pawl();
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
