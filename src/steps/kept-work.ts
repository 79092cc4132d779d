import type { Instant } from "../domain/index.ts";
import type { Sql } from "../platform/ports/index.ts";
import type { CheckpointRow } from "../platform/index.ts";
import { listPartings, savedPlan, savedStep } from "../plans/index.ts";
import { lastSessionOf, listCheckpoints } from "../sessions/index.ts";
import type { ItemView } from "./plan-view.ts";

/** An item as it stood when work was kept. */
export interface KeptTick extends Pick<ItemView, "kind" | "ordinal" | "status" | "reason"> {
  readonly anchor: string;
}

/** What the journal says of work that was kept when its step was blocked. */
export interface BlockedWork {
  readonly commit: string;
  readonly ref: string;
  /** The plan as it was; only of earlier versions, which did not note the step's own words. */
  readonly plan_hash: string;
  /** The words of the step that it was done for. */
  readonly content_hash?: string | null;
  /** What was ticked; claiming the step anew opens it again. */
  readonly ticks: readonly KeptTick[];
  /** Left out: it passed. */
  readonly extent?: KeptWork["extent"];
}

/** Work on a step that is nowhere but under a ref of Pawl's. */
export interface KeptWork {
  readonly at: Instant;
  readonly ref: string;
  /**
   * `verified`: it passed. `whole`: the agent came to its end, and no check did. `rejected`: a check did, and it did not
   * pass. `part`: a beginning.
   */
  readonly extent: "verified" | "whole" | "rejected" | "part";
  readonly ticks: readonly KeptTick[];
  /** The last command that ran on it, where it is a snapshot of a session. */
  readonly checkpoint?: CheckpointRow;
  /** The worktree that it is from, where it is a snapshot of a session. */
  readonly worktree?: string;
}

const MOST = 20;

/** What takes earlier work out of the question: it is done, a person took it from its owner, or wants it done anew. */
function isEnd({ event, detail }: { readonly event: string; readonly detail: string }): boolean {
  if (event === "completed" || event === "reset" || event === "reopened") return true;
  const { fresh, forced } = JSON.parse(detail) as { readonly fresh?: boolean; readonly forced?: boolean };
  return (event === "retried" && fresh === true) || (event === "released" && forced === true);
}

/** Recovery that hands a step to a person has neither done nor kept anything: what was kept before still counts. */
const isAboutWork = ({ event, detail }: { readonly event: string; readonly detail: string }): boolean =>
  event !== "blocked" || (JSON.parse(detail) as { readonly was?: string }).was === undefined;

/** The newest work on a step that was kept for it: with its block, or in a snapshot of the session that did it. */
export async function keptWorkOf(sql: Sql, plan_path: string, anchor: string): Promise<KeptWork | undefined> {
  const partings = (await sql.all(listPartings, { plan_path, anchor, most: MOST })).filter(isAboutWork);
  const since = partings.find(isEnd)?.at ?? "";
  const blocked = await blockedWork(sql, plan_path, anchor, partings);
  const session = await sessionWork(sql, plan_path, anchor);
  // Who blocked the step after that kept what is worth continuing, or nothing.
  const sinceBlocked = partings.find(({ event }) => event === "blocked")?.at ?? since;
  // An agent that lost its step is stopped a little later: what counts is when its work began.
  const isOver = (session?.checkpoint?.started_at ?? "") <= since;
  if (session !== undefined && !isOver && session.at > sinceBlocked) return session;
  return blocked !== undefined && blocked.at > since ? blocked : undefined;
}

async function blockedWork(
  sql: Sql,
  plan_path: string,
  anchor: string,
  partings: readonly { readonly event: string; readonly at: Instant; readonly detail: string }[],
): Promise<KeptWork | undefined> {
  const blocked = partings.find(({ event }) => event === "blocked");
  if (blocked === undefined) return undefined;
  const { kept } = JSON.parse(blocked.detail) as { readonly kept?: BlockedWork };
  if (kept === undefined) return undefined;
  const { content_hash } = await savedStep(sql, plan_path, anchor);
  const isSame =
    kept.content_hash == null
      ? kept.plan_hash === (await savedPlan(sql, plan_path)).plan_hash
      : kept.content_hash === content_hash;
  if (!isSame) return undefined;
  return { at: blocked.at, ref: kept.ref, extent: kept.extent ?? "verified", ticks: kept.ticks };
}

async function sessionWork(sql: Sql, plan_path: string, anchor: string): Promise<KeptWork | undefined> {
  const session = await sql.get(lastSessionOf, { plan_path, anchor });
  if (session === undefined) return undefined;
  const rows = await sql.all(listCheckpoints, { session_id: session.id });
  const own = rows.filter((row) => row.plan_path === plan_path && row.anchor === anchor);
  const checkpoint = own.findLast(({ position }) => position >= 0);
  if (checkpoint === undefined) return undefined;
  // The snapshot of an interruption is of the step that the session worked on last; it is older once that was resumed.
  const ofCut = own.at(-1) === rows.at(-1) ? session.snapshot_ref : null;
  const ref =
    session.interrupted_at === null ? (checkpoint.snapshot_ref ?? ofCut) : (ofCut ?? checkpoint.snapshot_ref);
  if (ref === null) return undefined;
  return {
    at: session.interrupted_at ?? checkpoint.ended_at ?? checkpoint.started_at,
    ref,
    extent: checkpoint.outcome === "finished" ? "whole" : "part",
    ticks: [],
    checkpoint,
    worktree: session.worktree,
  };
}
