import { Failure } from "../../domain/errors.ts";
import { defineCommand } from "../command.ts";
import type { Context } from "../context.ts";
import { safeBlock } from "../../domain/safe-text.ts";

const MOST_BYTES = 256 * 1024 * 1024;
const POLL_MS = 200;

export const sessionsLogs = defineCommand({
  name: "sessions logs",
  about: "The output of a session's agents",
  more: "The last command's unless another is named by its number, as `pawl sessions show` lists them.",
  operands: [{ name: "session", about: "The session, or the beginning of its id", required: true }],
  options: {
    command: { type: "number", value: "N", about: "The output of this command" },
    follow: { type: "flag", streams: true, about: "Go on printing until the session ends or is interrupted" },
  },
  examples: ["pawl sessions logs s-1f0c", "pawl sessions logs s-1f0c --follow"],
  async run(context, { command, follow }, [id = ""]) {
    if (follow) return followLogs(context, id);
    const pawl = await context.pawl();
    const { checkpoints } = await pawl.showSession({ id });
    const chosen =
      command === undefined ? checkpoints.at(-1) : checkpoints.find(({ number }) => number === command);
    const path = chosen?.log;
    if (path === undefined || path === null || !context.files.exists(path))
      throw new Failure("session/unknown", `Session ${id} has no such log.`, { session_id: id, command });
    const text = textIn(context, path);
    return { data: { session: id, log: path, output: text }, text: () => safeBlock(text).trimEnd() };
  },
});

const textIn = ({ files }: Context, path: string): string =>
  new TextDecoder().decode(files.read(path, MOST_BYTES));

/** Logs only grow, but for what is cut out of the middle of very long ones; then the new end is printed. */
async function followLogs(context: Context, id: string) {
  const pawl = await context.pawl();
  const printed = new Map<string, number>();
  for (;;) {
    const { checkpoints, status } = await pawl.showSession({ id });
    for (const { log } of checkpoints) {
      if (log === null || !context.files.exists(log)) continue;
      const text = textIn(context, log);
      const whole = text.slice(0, text.lastIndexOf("\n") + 1);
      const fresh = whole.slice(Math.min(printed.get(log) ?? 0, whole.length));
      printed.set(log, whole.length);
      for (const line of fresh.split("\n").slice(0, -1))
        if (!context.stream.line(safeBlock(line))) return { data: {}, text: () => "" };
    }
    if (status !== "in_progress") return { data: {}, text: () => "" };
    if (!(await context.stream.pause(POLL_MS))) return { data: {}, text: () => "", exitCode: 130 };
  }
}
