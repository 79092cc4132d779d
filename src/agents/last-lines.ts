import { type AgentEvent, safeText } from "../domain/index.ts";

const MOST_LINES = 50;
const LONGEST = 500;

/** The last lines of an output for people, safe for a terminal. */
export function lastLines(): {
  readonly take: (event: AgentEvent) => void;
  readonly lines: () => readonly string[];
} {
  const lines: string[] = [];
  return {
    take(event) {
      for (const line of eventLines(event).slice(-MOST_LINES)) lines.push(safeText(line.slice(0, LONGEST)));
      if (lines.length > MOST_LINES) lines.splice(0, lines.length - MOST_LINES);
    },
    lines: () => [...lines],
  };
}

/** An event in words; many have none. */
export function eventLines(event: AgentEvent): readonly string[] {
  if (event.kind === "tool") return [event.detail ? `${event.name}: ${firstLine(event.detail)}` : event.name];
  if (event.kind === "refused") return [`refused: ${firstLine(event.what)}`];
  if (event.kind !== "text" && event.kind !== "notice") return [];
  return event.text.split("\n").filter((line) => line.trim() !== "");
}

const firstLine = (text: string): string => text.split("\n", 1)[0]!;
