import { Failure } from "../../domain/errors.ts";
import type { Pawl } from "../../pawl.ts";
import type { ReadLogRequest } from "../../flow/run/read-log.ts";
import type { Route } from "../route.ts";

/** More than anybody scrolls through; all of it is in the log. */
const MOST_CHARACTERS = 256 * 1024;

export const output: Route = {
  method: "GET",
  path: "/api/output",
  command: "sessions logs",
  about: "What a command of a session printed, in words; with after=next what came since",
  takes: ["id", "command", "after"],
  async answer({ pawl }, { query }) {
    const id = query.needed("id");
    const { checkpoints, status } = await pawl.showSession({ id });
    const number = query.number("command");
    const chosen =
      number === undefined ? checkpoints.at(-1) : checkpoints.find((one) => one.number === number);
    if (chosen === undefined) throw new Failure("session/unknown", "There is no such command.", {});
    const isLive = status === "in_progress" && chosen.outcome === null;
    const after = query.number("after");
    const { lines, next } = await linesOf(pawl, { id, command: chosen.number, after, wholeLines: isLive });
    return { command: chosen.number, is_live: isLive, lines: newest(lines), next };
  },
};

/** A command that has printed nothing yet has no log. */
async function linesOf(pawl: Pick<Pawl, "readLog">, request: ReadLogRequest) {
  try {
    return await pawl.readLog(request);
  } catch (error) {
    if (error instanceof Failure && error.problem === "session/unknown")
      return { lines: [], next: request.after ?? 0 };
    throw error;
  }
}

function newest(lines: readonly string[]): readonly string[] {
  let left = MOST_CHARACTERS;
  let first = lines.length;
  while (first > 0 && left > 0) {
    first -= 1;
    left -= lines[first]!.length + 1;
  }
  return lines.slice(first).map((line) => line.slice(-MOST_CHARACTERS));
}
