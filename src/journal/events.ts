import { bareAnchor, type Instant } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { listEvents } from "./sql/list-events.ts";
import { listLastEvents } from "./sql/list-last-events.ts";
import type { EventRow } from "../platform/index.ts";
import { detailIn } from "./stored-json.ts";

export interface EventsRequest {
  readonly plan?: string | undefined;
  readonly step?: string | undefined;
  /** Only lines after this one, oldest first; left out, the newest lines. */
  readonly after?: number | undefined;
  readonly most?: number | undefined;
}

export interface EventView {
  readonly id: number;
  readonly at: Instant;
  readonly planPath: string | null;
  readonly anchor: string | null;
  readonly event: string;
  readonly claim: number | null;
  readonly worktree: string | null;
  readonly sessionId: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The journal: what changed, when, by whom. Always in the order it happened. */
export async function events(ports: Ports, request: EventsRequest): Promise<readonly EventView[]> {
  const database = await ports.database();
  const filter = {
    plan_path: request.plan === undefined ? null : ports.plans.locate(request.plan).key,
    anchor: request.step === undefined ? null : bareAnchor(request.step),
    most: request.most ?? 100,
  };
  const rows = await database.read((sql) =>
    request.after === undefined
      ? sql.all(listLastEvents, filter)
      : sql.all(listEvents, { ...filter, after: request.after }),
  );
  const views = rows.map(eventView);
  return request.after === undefined ? views.toReversed() : views;
}

export const eventView = (row: EventRow): EventView => ({
  id: row.id,
  at: row.at,
  planPath: row.plan_path,
  anchor: row.anchor,
  event: row.event,
  claim: row.claim,
  worktree: row.worktree,
  sessionId: row.session_id,
  detail: detailIn(row.detail),
});
