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

/** What the agents of a step left for people, as lines that are safe to show. */
export interface AgentWords {
  /** What the last one said last: a question stands there. */
  readonly said: readonly string[];
  /** What they were refused, each once, newest last. */
  readonly refused: readonly string[];
}

const MOST_REFUSED = 10;

/** Both as the ends of their commands tell it; empty where there is nothing. */
export async function agentWordsIn(
  sql: Sql,
  step: { readonly plan_path: string; readonly anchor: string },
): Promise<AgentWords> {
  const rows = await sql.all(listNamedEvents, { ...step, event: "command-ended", most: MOST_COMMANDS });
  const details = rows.map(({ detail }) => detailIn(detail));
  const last = details.find(({ said }) => typeof said === "string" && said !== "");
  const refused = details
    .toReversed()
    .flatMap((detail) => (Array.isArray(detail["refused"]) ? (detail["refused"] as readonly unknown[]) : []))
    .map((what) => messageLines(String(what)).at(0) ?? "")
    .filter((what) => what !== "");
  return {
    said: last === undefined ? [] : messageLines(String(last["said"])),
    refused: [...new Set(refused)].slice(-MOST_REFUSED),
  };
}
