import { linesOf } from "../../agents/last-lines.ts";
import { AGENTS } from "../../agents/presets/index.ts";
import { Failure } from "../../domain/errors.ts";
import type { Ports } from "../../ports/index.ts";
import { logParts } from "../../ports/supervisor.ts";
import { listCheckpoints } from "../../store/statements/list-checkpoints.ts";
import { sessionNamed } from "./find-session.ts";

export interface ReadLogRequest {
  readonly id: string;
  /** Which command, by its number; the last one when left out. */
  readonly command?: number | undefined;
  /** As the agent printed it, instead of as people read it. */
  readonly raw?: boolean | undefined;
  /** Only what came after so many bytes of its newest part. */
  readonly after?: number | undefined;
  /** Leaves a line that has no end yet for the next time; of itself so for whoever says `after`. */
  readonly wholeLines?: boolean | undefined;
}

export interface LogText {
  readonly sessionId: string;
  readonly command: number;
  readonly path: string;
  readonly lines: readonly string[];
  /** What to ask for next time. */
  readonly next: number;
}

/** More than three parts of a log can hold. */
const MOST_BYTES = 64 * 1024 * 1024;

/** What an agent said, one line for each thing. A line that is not in its own language is given as it is. */
export async function readLog(ports: Ports, request: ReadLogRequest): Promise<LogText> {
  const { id, command, raw = false, after, wholeLines = after !== undefined } = request;
  const row = await sessionNamed(ports, id);
  const database = await ports.database();
  const checkpoints = await database.read((sql) => sql.all(listCheckpoints, { session_id: row.id }));
  const chosen =
    command === undefined ? checkpoints.at(-1) : checkpoints.find(({ number }) => number === command);
  const path = chosen?.log && row.log_folder ? `${row.log_folder}/${chosen.log}.log` : undefined;
  if (chosen === undefined || path === undefined || !ports.files.exists(path))
    throw new Failure("session/unknown", `Session ${row.id} has no such log.`, {
      session_id: row.id,
      command,
    });
  const { text, next } = textIn(ports, path, after, wholeLines);
  const lines = text.split("\n").slice(0, text.endsWith("\n") || text === "" ? -1 : undefined);
  const shown = raw ? lines : await readable(ports, chosen.agent, lines);
  return { sessionId: row.id, command: chosen.number, path, lines: shown, next };
}

/** One whose newest part has begun anew is followed from its beginning. */
function textIn({ files }: Ports, path: string, after: number | undefined, wholeLines: boolean) {
  // Agents can write where logs are: a pipe would keep everybody waiting, and a link could lead to any file.
  const newest = files.readUnlinked(path, MOST_BYTES);
  const end = wholeLines ? newest.lastIndexOf(NEW_LINE) + 1 : newest.length;
  const from = after === undefined || after > newest.length ? 0 : after;
  const parts = after === undefined ? olderParts(files, path) : [];
  const text = [...parts, newest.subarray(from, Math.max(from, end))]
    .map((bytes) => new TextDecoder().decode(bytes))
    .join("");
  return { text, next: Math.max(from, end) };
}

const olderParts = (files: Ports["files"], path: string): readonly Uint8Array[] =>
  logParts(path)
    .slice(0, -1)
    .filter((part) => files.exists(part))
    .map((part) => files.readUnlinked(part, MOST_BYTES));

const NEW_LINE = 0x0a;

async function readable(
  ports: Ports,
  agent: string | null,
  lines: readonly string[],
): Promise<readonly string[]> {
  const { settings } = await ports.running();
  const preset = (agent === null ? undefined : settings.agents[agent]?.preset) ?? AGENTS.command;
  if (preset.output === "plain") return lines;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const read = preset.reader(() => ({ nowMs: ports.clock.wallMs(), timeZone }));
  return lines.flatMap((line) => (line.startsWith("{") ? read(line).flatMap(linesOf) : [line]));
}
