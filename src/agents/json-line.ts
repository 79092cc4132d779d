import type { AgentEvent, Usage } from "../domain/index.ts";
import type { LineReader } from "./agent-preset.ts";
import type { OutputMoment } from "./reset-time.ts";

/** A JSON value that is not checked yet. */
export type Json = Readonly<Record<string, unknown>>;

/**
 * One line as a JSON object; undefined for anything else.
 *
 * Some agents write an event in the middle of another line, and libraries print warnings between them: a line that
 * does not parse is skipped and never fatal.
 */
export function jsonLine(line: string): Json | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return jsonObject(JSON.parse(line));
  } catch {
    return undefined;
  }
}

export const jsonObject = (value: unknown): Json | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;

export const jsonList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const jsonText = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

export const jsonCount = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;

/** What a tool is about to work on, out of whatever its input is called. */
export function toolDetail(input: unknown): string | undefined {
  const fields = jsonObject(input);
  if (!fields) return undefined;
  for (const name of ["command", "file_path", "filePath", "path", "pattern", "query", "url", "description"]) {
    const found = jsonText(fields[name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The agent's own name of its conversation, where an event tells it. */
export function sessionEvents(value: unknown): readonly AgentEvent[] {
  const id = jsonText(value);
  return id === undefined ? [] : [{ kind: "session", id }];
}

/** Tokens under the names that most agents give them; what they cost is unknown. */
export function usageOf(value: unknown): Usage {
  const usage = jsonObject(value);
  const inputTokens = jsonCount(usage?.["input_tokens"]);
  return { inputTokens, outputTokens: jsonCount(usage?.["output_tokens"]), costUsd: 0 };
}

/** What the events of an agent mean, by the `type` that they carry. */
export type EventTable = Readonly<
  Record<string, (event: Json, moment: OutputMoment) => readonly AgentEvent[]>
>;

/** Reads lines by such a table. What it does not name says nothing to us. */
export const byType =
  (table: EventTable, moment: () => OutputMoment): LineReader =>
  (line) => {
    const event = jsonLine(line);
    const type = jsonText(event?.["type"]) ?? "";
    return event && Object.hasOwn(table, type) ? table[type]!(event, moment()) : [];
  };

/** Output without a form: each line is a line for people. */
export const plainReader = (): LineReader => (line) =>
  line.trim() === "" ? [] : [{ kind: "text", text: line }];
