import type { AgentEvent } from "../domain/agent-event.ts";
import type { LineReader } from "./agent-preset.ts";
import { asText, type Json, jsonLine } from "./json-line.ts";
import type { OutputMoment } from "./reset-time.ts";

/** What the events of an agent mean, by the `type` that they carry. */
export type EventTable = Readonly<
  Record<string, (event: Json, moment: OutputMoment) => readonly AgentEvent[]>
>;

/** Reads lines by such a table. What it does not name says nothing to us. */
export const byType =
  (table: EventTable, moment: () => OutputMoment): LineReader =>
  (line) => {
    const event = jsonLine(line);
    const type = asText(event?.["type"]) ?? "";
    return event && Object.hasOwn(table, type) ? table[type]!(event, moment()) : [];
  };
