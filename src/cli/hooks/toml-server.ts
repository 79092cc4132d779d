import { isDeepStrictEqual } from "node:util";
import { parse } from "smol-toml";
import type { ConfigText } from "./config-text.ts";
import type { IsOurs } from "./json-entries.ts";

const BEGIN = "# pawl: begin";
const JOINED = "# pawl: begin (the end of the line before is ours)";
const END = "# pawl: end";

/**
 * The table of our server at the end of a TOML file, between two marks: at the top it would swallow the keys below it.
 * A last line without an end gets one, and the mark says so.
 *
 * Programs print such files anew: without comments, in another order, as one line. So what is cut is judged by what the
 * file says afterwards: all that it said before, but for our server. The marks alone could have come to stand around
 * a person's table.
 */
export function tomlServer(body: string, isOurs: IsOurs): ConfigText {
  const block = (begin: string) => `${begin}\n${body}\n${END}\n`;
  const takeOut: ConfigText["takeOut"] = (text) => {
    if (text === null || text === block(BEGIN)) return null;
    if (text === block(BEGIN).trimEnd()) return "";
    const said = saidBy(text);
    const isMarked = betweenMarks(text) !== text;
    if (said === undefined || (!isMarked && !isOurs(serverIn(said)))) return text;
    const wanted = withoutServer(said);
    return WAYS.map((cut) => cut(text)).find((made) => {
      const left = saidBy(made);
      return left !== undefined && isDeepStrictEqual(withoutServer(left), wanted) && !serverIn(left);
    });
  };
  return {
    nothing: "",
    takeOut,
    put(given) {
      if (given === null) return block(BEGIN);
      const said = saidBy(given);
      if (said && isOurs(serverIn(said))) return given;
      const text = takeOut(given) ?? null;
      if (text === null) return undefined;
      if (text === "") return block(BEGIN).trimEnd();
      const made = text.endsWith("\n") ? `${text}${block(BEGIN)}` : `${text}\n${block(JOINED)}`;
      return saidBy(text) && saidBy(made) ? made : undefined;
    },
  };
}

type Said = Readonly<Record<string, unknown>>;

function saidBy(text: string): Said | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

const serversIn = (said: Said): Said => {
  const servers = said["mcp_servers"];
  return typeof servers === "object" && servers !== null ? (servers as Said) : {};
};

const serverIn = (said: Said): unknown => serversIn(said)["pawl"];

/** A table of servers without any says nothing. */
function withoutServer(said: Said): Said {
  const { pawl: _ours, ...others } = serversIn(said);
  const { mcp_servers: _servers, ...rest } = said;
  return Object.keys(others).length === 0 ? rest : { ...rest, mcp_servers: others };
}

function betweenMarks(text: string): string {
  const joined = text.search(/\r?\n# pawl: begin \(the end of the line before is ours\)\r?$/m);
  const from = joined === -1 ? text.search(/^# pawl: begin\r?$/m) : joined;
  const end = /^# pawl: end(?:\r?\n|$)/m.exec(text.slice(Math.max(from, 0)));
  return from === -1 || end === null
    ? text
    : text.slice(0, from) + text.slice(from + end.index + end[0].length);
}

const NAME = String.raw`[ \t]*["']?mcp_servers["']?[ \t]*\.[ \t]*["']?pawl["']?`;
const OUR_TABLE = new RegExp(String.raw`^[ \t]*\[${NAME}[ \t]*[.\]]`);
const ANY_TABLE = /^[ \t]*\[/;
const COMMENT = /^[ \t]*(?:#|\r?\n?$)/;

/** The table, tables inside it, and the marks. Comments before the next table are about that. */
function table(text: string): string {
  const kept: string[] = [];
  let unsure: string[] = [];
  let isIn = false;
  for (const line of withoutMarks(text).split(/(?<=\n)/)) {
    const wasIn = isIn;
    if (ANY_TABLE.test(line)) isIn = OUR_TABLE.test(line);
    if (!isIn) kept.push(...(wasIn ? unsure : []), line);
    if (isIn && COMMENT.test(line)) unsure.push(line);
    else unsure = [];
  }
  return kept.join("");
}

/** Keys on lines of their own, in the table of servers or before all tables. */
const lines = (text: string): string =>
  withoutMarks(text).replace(
    new RegExp(String.raw`^(?:${NAME}|[ \t]*["']?pawl["']?)[ \t]*[.=][^\n]*\n?`, "gm"),
    "",
  );

/** A whole line that holds no other server. */
const servers = (text: string): string =>
  withoutMarks(text).replace(/^[ \t]*["']?mcp_servers["']?[ \t]*=[^\n]*\n?/gm, "");

const withoutMarks = (text: string): string => text.replace(/^# pawl: (?:begin|end)[^\n]*\n?/gm, "");

const WAYS = [betweenMarks, table, lines, servers] as const;
