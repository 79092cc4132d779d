import { Failure, sessionName } from "../domain/index.ts";
import { AGENTS, eventLines, runSettingsOf } from "../agents/index.ts";
import { logParts, type Ports, type Sql } from "../platform/ports/index.ts";
import { findCheckpoint, listLastCheckpoints, sessionNamed } from "../sessions/index.ts";
import type { CheckpointRow } from "../platform/index.ts";

export interface ReadLogRequest {
  readonly id: string;
  /** Which command, by its number; the last one when left out. */
  readonly command?: number | undefined;
  /** As the agent printed it, instead of as people read it. */
  readonly raw?: boolean | undefined;
  /** Only what came after so many bytes of its newest part. */
  readonly after?: number | undefined;
  /**
   * Leaves a line that has no end yet for the next time, always or as long as the command runs; of itself so for a caller that
   * says `after`.
   */
  readonly wholeLines?: boolean | "live" | undefined;
  /** Only about so many bytes from its end: a person waits for it. */
  readonly most?: number | undefined;
}

export interface LogText {
  readonly sessionId: string;
  readonly command: number;
  /** Null for a command that has printed nothing. */
  readonly path: string | null;
  /** Whether the command still runs. */
  readonly isLive: boolean;
  readonly lines: readonly string[];
  /** What to ask for next time. */
  readonly next: number;
}

/** More than three parts of a log can hold. */
const MOST_BYTES = 64 * 1024 * 1024;

/** What an agent said, one line for each thing. A line that is not in its own language is given as it is. */
export async function readLog(ports: Ports, request: ReadLogRequest): Promise<LogText> {
  const { id, command, raw = false, after } = request;
  const row = await sessionNamed(ports, id);
  const database = await ports.database();
  const chosen = await database.read((sql) => commandOf(sql, row.id, command));
  if (chosen === undefined)
    throw new Failure(
      "session/unknown",
      `Session ${sessionName(row.id)} has ${command === undefined ? "run no command" : `no command ${command}`}.`,
      { session_id: row.id, command },
      { hint: `Run \`pawl sessions show ${sessionName(row.id)}\` to see what it did.` },
    );
  const isLive = row.status === "in_progress" && chosen.ended_at === null;
  const about = { sessionId: row.id, command: chosen.number, isLive };
  const path = chosen.log && row.log_folder ? `${row.log_folder}/${chosen.log}.log` : undefined;
  if (path === undefined || !ports.files.exists(path))
    return { ...about, path: null, lines: [], next: after ?? 0 };
  const { text, next } = textIn(ports, path, request, isLive);
  const lines = text.split("\n").slice(0, text.endsWith("\n") || text === "" ? -1 : undefined);
  const shown = raw ? lines : await readable(ports, chosen.agent, lines);
  return { ...about, path, lines: shown, next };
}

async function commandOf(
  sql: Sql,
  id: string,
  number: number | undefined,
): Promise<CheckpointRow | undefined> {
  if (number !== undefined) return sql.get(findCheckpoint, { session_id: id, number });
  return (await sql.all(listLastCheckpoints, { session_id: id, most: 1 }))[0];
}

/** One whose newest part has begun anew is followed from its beginning. */
function textIn({ files }: Ports, path: string, request: ReadLogRequest, isLive: boolean) {
  const { after, most = MOST_BYTES, wholeLines = after !== undefined } = request;
  // Agents can write where logs are: a pipe would keep everybody waiting, and a link could lead to any file.
  const newest = files.readEnd(path, after ?? 0, most);
  const end = (wholeLines === "live" ? isLive : wholeLines)
    ? newest.bytes.lastIndexOf(NEW_LINE) + 1
    : newest.bytes.length;
  const parts = [{ ...newest, bytes: newest.bytes.subarray(0, end) }];
  if (after === undefined)
    for (const part of olderParts(files, path)) {
      const left = most - parts.reduce((sum, { bytes }) => sum + bytes.length, 0);
      if (left > 0) parts.unshift(files.readEnd(part, 0, left));
    }
  const text = parts.map(({ bytes }) => new TextDecoder().decode(bytes)).join("");
  const isCut = parts[0]!.from > (after ?? 0);
  return { text: isCut ? text.slice(text.indexOf("\n") + 1) : text, next: newest.from + end };
}

/** The newest of them first. */
const olderParts = (files: Ports["files"], path: string): readonly string[] =>
  logParts(path)
    .slice(0, -1)
    .filter((part) => files.exists(part))
    .toReversed();

const NEW_LINE = 0x0a;

async function readable(
  ports: Ports,
  agent: string | null,
  lines: readonly string[],
): Promise<readonly string[]> {
  const settings = runSettingsOf(ports);
  const preset = (agent === null ? undefined : settings.agents[agent]?.preset) ?? AGENTS.command;
  if (preset.output === "plain") return lines;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const read = preset.reader(() => ({ nowMs: ports.clock.wallMs(), timeZone }));
  return lines.flatMap((line) => (line.startsWith("{") ? read(line).flatMap(eventLines) : [line]));
}
