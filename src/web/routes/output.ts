import type { Route } from "../route.ts";

/** More than a person scrolls through; all of it is in the log. */
const MOST_CHARACTERS = 256 * 1024;
/** Agents that speak in JSON need more for the same. */
const MOST_BYTES = 1024 * 1024;

export const outputRoute: Route = {
  method: "GET",
  path: "/api/output",
  command: "sessions logs",
  about: "What a command of a session printed, in words; with after=next what came since",
  takes: ["id", "command", "after"],
  async answer({ pawl }, { query }) {
    const { command, isLive, lines, next } = await pawl.readLog({
      id: query.needed("id"),
      command: query.number("command"),
      after: query.number("after"),
      wholeLines: "live",
      most: MOST_BYTES,
    });
    return { command, isLive, lines: newest(lines), next };
  },
};

function newest(lines: readonly string[]): readonly string[] {
  let left = MOST_CHARACTERS;
  let first = lines.length;
  while (first > 0 && left > 0) {
    first -= 1;
    left -= lines[first]!.length + 1;
  }
  return lines.slice(first).map((line) => line.slice(-MOST_CHARACTERS));
}
