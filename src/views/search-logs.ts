import type { Instant } from "../domain/index.ts";
import { openIfThere } from "../journal/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { listLastCheckpoints, listSessions } from "../sessions/index.ts";
import { matchingLine, type PlacedEvent, transcript, type TranscriptRequest } from "./transcript.ts";

export interface SearchLogsRequest {
  /** In any case. */
  readonly find: string;
  /** Only what failed or was refused. */
  readonly errors?: boolean | undefined;
  readonly plan?: string | undefined;
  readonly most?: number | undefined;
}

/** Where an agent said or did something with this text in it. */
export interface LogMatch {
  readonly sessionId: string;
  readonly planPath: string | null;
  readonly anchor: string | null;
  readonly agent: string | null;
  readonly command: number;
  readonly startedAt: Instant;
  readonly kind: PlacedEvent["kind"];
  readonly line: string;
}

export interface SearchLogsAnswer {
  /** Newest command first; inside of one the newest event first. */
  readonly matches: readonly LogMatch[];
  /** There are more than these. */
  readonly isMore: boolean;
}

const MOST = 100;
const MOST_SESSIONS = 500;
const MOST_COMMANDS = 1000;
/** So that one talkative command does not hide the others. */
const MOST_OF_ONE = 5;

/** Looks through the logs of all sessions, newest first. It reads whole files, so it belongs into a process of its own. */
export async function searchLogs(ports: Ports, request: SearchLogsRequest): Promise<SearchLogsAnswer> {
  const database = await openIfThere(ports);
  if (database === undefined) return { matches: [], isMore: false };
  const most = Math.min(request.most ?? MOST, MOST);
  const plan_path = request.plan === undefined ? null : ports.plans.locate(request.plan).key;
  const sessions = await database.read((sql) =>
    sql.all(listSessions, { plan_path, status: null, most: MOST_SESSIONS }),
  );
  const matches: LogMatch[] = [];
  for (const session of sessions) {
    const commands = await database.read((sql) =>
      sql.all(listLastCheckpoints, { session_id: session.id, most: MOST_COMMANDS }),
    );
    for (const { number, anchor, agent, started_at, log } of commands) {
      if (log === null) continue;
      const events = await eventsWith(ports, {
        id: session.id,
        command: number,
        find: request.find,
        errors: request.errors,
        most: MOST_OF_ONE,
      });
      for (const event of events) {
        if (matches.length === most) return { matches, isMore: true };
        matches.push({
          sessionId: session.id,
          planPath: session.plan_path,
          anchor,
          agent,
          command: number,
          startedAt: started_at,
          kind: event.kind,
          line: matchingLine(event, request.find),
        });
      }
    }
  }
  return { matches, isMore: false };
}

/** The newest few, newest first; a page may have none of them. */
async function eventsWith(
  ports: Ports,
  request: TranscriptRequest & { readonly most: number },
): Promise<readonly PlacedEvent[]> {
  const found: PlacedEvent[] = [];
  for (let before: number | undefined | null; before !== null && found.length < request.most;) {
    const page = await transcript(ports, { ...request, before });
    found.push(...page.events.toReversed());
    before = page.older;
  }
  return found.slice(0, request.most);
}

/** All that a command said and did, oldest first. */
export async function wholeTranscript(
  ports: Ports,
  request: Omit<TranscriptRequest, "before" | "after" | "log" | "most">,
) {
  const pages: (readonly PlacedEvent[])[] = [];
  let page = await transcript(ports, request);
  pages.unshift(page.events);
  while (page.older !== null) {
    page = await transcript(ports, { ...request, before: page.older });
    pages.unshift(page.events);
  }
  return { sessionId: page.sessionId, command: page.command, events: pages.flat() };
}
