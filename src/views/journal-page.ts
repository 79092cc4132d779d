import { bareAnchor } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { eventView, type EventView, journalEnd, openIfThere, pageEvents } from "../journal/index.ts";
import { enter } from "../sessions/index.ts";

export interface JournalPageRequest {
  readonly plan?: string | undefined;
  readonly step?: string | undefined;
  readonly event?: string | undefined;
  readonly session?: string | undefined;
  /** Only lines with this text in them, in any case. */
  readonly find?: string | undefined;
  /** Only lines before this one; from the newest when left out. */
  readonly before?: number | undefined;
  readonly most?: number | undefined;
}

export interface JournalPage {
  /** Newest first. */
  readonly events: readonly EventView[];
  /** Ask again from here for older lines, also when this page is empty; null at the beginning of the journal. */
  readonly next: number | null;
}

const MOST = 500;

/** How many lines are looked through for one page. A rare event takes several pages, none of which takes long. */
const REACH = 20_000;
/** The same for a text, which is looked for in all of a line. */
const REACH_OF_TEXT = 5000;

/** The journal backwards, in pages that cost the same wherever they are. */
export async function journalPage(ports: Ports, request: JournalPageRequest): Promise<JournalPage> {
  const database = await openIfThere(ports);
  if (database === undefined) return { events: [], next: null };
  const most = Math.min(Math.max(request.most ?? 200, 1), MOST);
  return database.read(async (sql) => {
    const below = request.before ?? ((await sql.get(journalEnd, {}))?.last ?? 0) + 1;
    const find = request.find?.trim() || undefined;
    const from = Math.max(below - (find === undefined ? REACH : REACH_OF_TEXT), 0);
    const rows = await sql.all(pageEvents, {
      below,
      from,
      plan_path: request.plan === undefined ? null : ports.plans.locate(request.plan).key,
      anchor: request.step === undefined ? null : bareAnchor(request.step),
      event: request.event ?? null,
      session_id: request.session ?? null,
      find: find === undefined ? null : `%${find.toLowerCase().replaceAll(/[!%_]/g, "!$&")}%`,
      most,
    });
    const next = rows.length === most ? rows.at(-1)!.id : from;
    return { events: rows.map(eventView), next: next <= 1 ? null : next };
  });
}

/** The number of the newest line. The call also notices sessions that died: no other command may be running. */
export async function newestLine(ports: Ports): Promise<number> {
  const database = await ports.database();
  await enter(ports);
  return database.read(async (sql) => (await sql.get(journalEnd, {}))?.last ?? 0);
}
