import { type Instant, safeBlock } from "../domain/index.ts";
import type { Sql } from "../platform/ports/index.ts";
import { listNamedEvents } from "./sql/list-named-events.ts";
import { detailIn } from "./stored-json.ts";

/** What an agent said last in one of its commands. */
export interface ClosingMessage {
  readonly at: Instant;
  readonly session: string | null;
  /** The command of the workflow. */
  readonly command: string;
  /** What that command is for, as workflows call it. */
  readonly type: string;
  readonly claim: number | null;
  readonly text: string;
}

/** Read at most; what an agent said before that says nothing about where a step stands. */
const MOST_COMMANDS = 30;

/** What the agents of a step have said at the end of their commands, newest first. The journal has it with each end. */
export async function closingMessages(
  sql: Sql,
  step: { readonly plan_path: string; readonly anchor: string },
): Promise<readonly ClosingMessage[]> {
  const rows = await sql.all(listNamedEvents, { ...step, event: "command-ended", most: MOST_COMMANDS });
  return rows.flatMap(({ at, session_id, claim, detail }) => {
    const { said, command, type } = detailIn(detail);
    if (typeof said !== "string" || said === "") return [];
    return [{ at, session: session_id, claim, command: String(command), type: String(type), text: said }];
  });
}

const MOST_LINES = 12;
const LONGEST_LINE = 500;

/** The end of a message as lines for people. Questions stand at the end. */
const messageLines = (text: string): readonly string[] =>
  safeBlock(text)
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .slice(-MOST_LINES)
    .map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line));

/** What the agent of a step said last, as lines; empty where it said nothing. */
export async function lastSaidIn(
  sql: Sql,
  step: { readonly plan_path: string; readonly anchor: string },
): Promise<readonly string[]> {
  const [last] = await closingMessages(sql, step);
  return last === undefined ? [] : messageLines(last.text);
}
