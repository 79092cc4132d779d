import { Failure, sessionName } from "../domain/index.ts";
import { AGENTS, runSettingsOf, type TranscriptEvent, transcriptLine } from "../agents/index.ts";
import { logParts, type Ports } from "../platform/ports/index.ts";
import { findCheckpoint, listLastCheckpoints, sessionNamed } from "../sessions/index.ts";

export interface TranscriptRequest {
  readonly id: string;
  /** Which command, by its number; the last one when left out. */
  readonly command?: number | undefined;
  /** Only what stands before this place; from the end when left out. */
  readonly before?: number | undefined;
  /** Only what came since this place. */
  readonly after?: number | undefined;
  /** The log that the places are of, as the last answer named it; another one by now is read anew. */
  readonly log?: string | undefined;
  /** Only events with this text in them, in any case. */
  readonly find?: string | undefined;
  /** Only what failed or was refused. */
  readonly errors?: boolean | undefined;
  readonly most?: number | undefined;
}

/** An event, and where its line stands in the log. */
export type PlacedEvent = TranscriptEvent & { readonly place: number; readonly part: number };

export interface Transcript {
  readonly sessionId: string;
  readonly command: number;
  readonly isLive: boolean;
  readonly log: string;
  /** Oldest first. */
  readonly events: readonly PlacedEvent[];
  /** Ask with `before` for what is older; null at the beginning. */
  readonly older: number | null;
  /** Ask with `after` for what comes next. */
  readonly next: number;
  /** The places asked for are of another log: what was read before does not count any more. */
  readonly isAnew: boolean;
}

const MOST = 400;
const CHUNK = 128 * 1024;
/** How much is looked through for one answer: what is rare takes several, none of which takes long. */
const REACH = 4 * 1024 * 1024;
const NEW_LINE = 0x0a;

/** What an agent said and did, backwards in pages that cost the same wherever they are. */
export async function transcript(ports: Ports, request: TranscriptRequest): Promise<Transcript> {
  const row = await sessionNamed(ports, request.id);
  const database = await ports.database();
  const { command } = request;
  const chosen = await database.read(async (sql) =>
    command === undefined
      ? (await sql.all(listLastCheckpoints, { session_id: row.id, most: 1 }))[0]
      : sql.get(findCheckpoint, { session_id: row.id, number: command }),
  );
  if (chosen === undefined)
    throw new Failure("session/unknown", `Session ${sessionName(row.id)} has no such command.`, {
      session_id: row.id,
      command,
    });
  const isLive = row.status === "in_progress" && chosen.ended_at === null;
  const about = { sessionId: row.id, command: chosen.number, isLive };
  const path = chosen.log && row.log_folder ? `${row.log_folder}/${chosen.log}.log` : undefined;
  const log = path === undefined ? undefined : openLog(ports, path);
  if (log === undefined)
    return {
      ...about,
      log: "",
      events: [],
      older: null,
      next: 0,
      isAnew: request.log !== undefined && request.log !== "",
    };
  const isAnew = request.log !== undefined && request.log !== log.name;
  const read = readerFor(ports, chosen.agent, row.worktree);
  const most = Math.min(request.most ?? MOST, MOST);
  const asked = isAnew ? { ...request, before: undefined, after: undefined } : request;
  const fits = filterFor(asked);
  const page =
    asked.after === undefined
      ? backwards(log, asked.before ?? log.size, { read, fits, most, isLive })
      : forwards(log, asked.after, { read, fits, isLive });
  return { ...about, log: log.name, isAnew, ...page };
}

/** The parts of a log as one: places count from the beginning of the first. */
interface Log {
  /** Another one when the parts have moved. */
  readonly name: string;
  readonly size: number;
  readonly slice: (from: number, until: number) => Uint8Array;
}

function openLog({ files }: Ports, path: string): Log | undefined {
  const parts = logParts(path)
    .filter((part) => files.exists(part))
    .map((part) => ({ part, size: files.readSlice(part, 0, 0).size }));
  if (parts.length === 0) return undefined;
  const older = parts.slice(0, -1);
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  const slice = (from: number, until: number): Uint8Array => {
    const found: Uint8Array[] = [];
    let begin = 0;
    for (const { part, size: length } of parts) {
      const [start, end] = [Math.max(from - begin, 0), Math.min(until - begin, length)];
      if (start < end) found.push(files.readSlice(part, start, end - start).bytes);
      begin += length;
    }
    return found.length === 1 ? found[0]! : Buffer.concat(found);
  };
  return { name: `${path} ${older.map((part) => part.size).join(" ")}`, size, slice };
}

type ReadLine = (line: string) => readonly TranscriptEvent[];
type Fits = (event: TranscriptEvent) => boolean;

interface Reading {
  readonly read: ReadLine;
  readonly fits: Fits;
  readonly isLive: boolean;
}

/** Older and older chunks until there is enough, or enough was looked through. */
function backwards(
  log: Log,
  before: number,
  { read, fits, most, isLive }: Reading & { readonly most: number },
) {
  let end = Math.min(before, log.size);
  const until = end === log.size ? wholeLines(log, end, isLive) : end;
  end = until;
  const limit = Math.max(end - REACH, 0);
  let events: PlacedEvent[] = [];
  let chunk = CHUNK;
  while (end > 0 && events.length < most && end > limit) {
    const from = Math.max(end - chunk, 0);
    const bytes = log.slice(from, end);
    // A line that began before this chunk is read with the one before; one that fills it needs a larger one.
    const skip = from === 0 ? 0 : bytes.indexOf(NEW_LINE) + 1;
    if (from > 0 && (skip === 0 || skip === bytes.length)) {
      if (chunk > REACH) break;
      chunk *= 4;
      continue;
    }
    events = [...eventsIn(bytes.subarray(skip), from + skip, read).filter(fits), ...events];
    end = from + skip;
  }
  // A chunk may hold more than was asked for: the page draws what it gets, and a long answer would be felt.
  const first = events.at(-most)?.place;
  if (events.length > most && first !== undefined) {
    events = events.filter(({ place }) => place >= first);
    end = first;
  }
  return { events: joined(events), older: end > 0 ? end : null, next: until };
}

function forwards(log: Log, after: number, { read, fits, isLive }: Reading) {
  const from = Math.min(after, log.size);
  const until = wholeLines(log, Math.min(log.size, from + REACH), isLive || log.size > from + REACH);
  const events = until <= from ? [] : eventsIn(log.slice(from, until), from, read).filter(fits);
  return { events: joined(events), older: null, next: Math.max(until, from) };
}

/** Where the last whole line ends; of a command that has ended, what is left without an end counts as one. */
function wholeLines(log: Log, end: number, needsEnd: boolean): number {
  if (!needsEnd) return end;
  const from = Math.max(end - REACH, 0);
  return from + log.slice(from, end).lastIndexOf(NEW_LINE) + 1;
}

function eventsIn(bytes: Uint8Array, from: number, read: ReadLine): PlacedEvent[] {
  const events: PlacedEvent[] = [];
  const decoder = new TextDecoder();
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(NEW_LINE, start);
    const end = found === -1 ? bytes.length : found;
    const line = decoder.decode(bytes.subarray(start, end));
    for (const [part, event] of read(line).entries()) events.push({ ...event, place: from + start, part });
    start = end + 1;
  }
  return events;
}

const MOST_JOINED = 40;

/** Lines of plain output that follow each other are one event: each by itself would be a row of its own. */
function joined(events: readonly PlacedEvent[]): readonly PlacedEvent[] {
  const found: PlacedEvent[] = [];
  let lines = 0;
  for (const event of events) {
    const last = found.at(-1);
    if (event.kind === "notice" && last?.kind === "notice" && lines < MOST_JOINED) {
      found[found.length - 1] = { ...last, text: `${last.text}\n${event.text}` };
      lines += 1;
    } else {
      found.push(event);
      lines = 1;
    }
  }
  return found;
}

function filterFor({ find, errors = false }: TranscriptRequest): Fits {
  const words = find?.toLowerCase();
  return (event) =>
    (!errors || isTrouble(event)) &&
    (words === undefined || JSON.stringify(event).toLowerCase().includes(words));
}

const isTrouble = (event: TranscriptEvent): boolean =>
  event.kind === "refused" || ((event.kind === "result" || event.kind === "end") && !event.ok);

/** Lines that no known agent prints are read as the preset does; what it knows nothing of is shown as it is. */
function readerFor(ports: Ports, agent: string | null, worktree: string): ReadLine {
  const settings = runSettingsOf(ports);
  const preset = (agent === null ? undefined : settings.agents[agent]?.preset) ?? AGENTS.command;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const ownReader = preset.reader(() => ({ nowMs: ports.clock.wallMs(), timeZone }));
  const near = (text: string | null): string | null =>
    text?.startsWith(`${worktree}/`) ? text.slice(worktree.length + 1) : text;
  return (line) => {
    if (line.trim() === "") return [];
    const known = preset.output === "plain" ? undefined : transcriptLine(line);
    if (known)
      return known.map((event) =>
        event.kind === "call" ? { ...event, detail: near(event.detail), path: near(event.path) } : event,
      );
    if (!line.startsWith("{") || preset.output === "plain") return [{ kind: "notice", text: line }];
    return ownReader(line).flatMap((event): readonly TranscriptEvent[] => {
      if (event.kind === "text" || event.kind === "notice") return [{ kind: event.kind, text: event.text }];
      if (event.kind === "refused") return [{ kind: "refused", what: event.what }];
      return [];
    });
  };
}

/** What an event says, in the words that a person searches for. */
const wordsOf = (event: TranscriptEvent): string => {
  if (event.kind === "call")
    return [`${event.tool}${event.detail === null ? "" : ` ${event.detail}`}`, event.input ?? ""].join("\n");
  return event.kind === "refused" ? `refused: ${event.what}` : (event.text ?? "");
};

const LONGEST_LINE = 300;

/** The line of an event in which a text stands; its first one where none has it. */
export function matchingLine(event: TranscriptEvent, find: string): string {
  const lines = wordsOf(event).split("\n");
  const found = lines.find((line) => line.toLowerCase().includes(find.toLowerCase())) ?? lines[0]!;
  const at = Math.max(found.toLowerCase().indexOf(find.toLowerCase()) - LONGEST_LINE / 3, 0);
  return found.slice(at, at + LONGEST_LINE).trim();
}
