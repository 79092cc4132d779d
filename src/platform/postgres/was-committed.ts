import { Failure } from "../../domain/index.ts";
import { sleep } from "../index.ts";
import type { Params, Value } from "../ports/index.ts";
import type { Server } from "./connection.ts";
import { isAway, isLost } from "./failures.ts";

/** A transaction whose commit was sent and never answered. */
export interface Unanswered {
  /** The server's name for it. */
  readonly transaction: string;
  /** The last line it wrote into the journal, if it wrote one. */
  readonly line: Params | undefined;
}

const PATIENCE_MS = 30_000;

/**
 * Says what became of a commit whose answer was lost with the connection.
 *
 * First the transaction must be over: its backend may still be at work. Then its line is in the journal or it is
 * not. The server's own word that the number committed is not enough: a crash forgets numbers that never reached the
 * disk and gives them out again, so after one it may be the answer about another client's transaction. What writes no
 * line has no effect that a second time would double, and counts as not committed.
 */
export async function wasCommitted(
  server: Server,
  schema: string,
  { transaction, line }: Unanswered,
): Promise<boolean> {
  const start = performance.now();
  for (let tried = 1; performance.now() - start < PATIENCE_MS; tried += 1) {
    try {
      const status = await statusOf(server, transaction);
      if (status === "aborted" || (status !== "in progress" && !line)) return false;
      if (status !== "in progress" && line) return await isInJournal(server, schema, line);
    } catch (error) {
      if (!isLost(error) && !isAway(error)) throw error;
    }
    await sleep(Math.min(20 * tried, 1000));
  }
  throw new Failure(
    "store/outcome-unknown",
    `${server.where}: the connection broke while committing, and the server could not be asked what became of it.`,
    { server: server.where, transaction },
  );
}

/** Null when the server no longer knows, or, after a crash, never knew: then the journal decides. */
async function statusOf({ pool }: Server, transaction: string): Promise<string | null> {
  try {
    const { rows } = await pool.query<{ status: string | null }>(
      "select pg_xact_status($1::text::xid8) as status",
      [transaction],
    );
    return rows[0]?.status ?? null;
  } catch (error) {
    if ((error as { code?: string }).code === IN_THE_FUTURE) return "aborted";
    throw error;
  }
}

const IN_THE_FUTURE = "22023";

async function isInJournal({ pool }: Server, schema: string, line: Params): Promise<boolean> {
  const columns: Readonly<Record<string, Value | undefined>> = {
    at: line["now"],
    plan_path: line["plan_path"],
    anchor: line["anchor"],
    event: line["event"],
    claim: line["claim"],
    worktree: line["worktree"],
    session_id: line["session_id"],
    detail: line["detail"],
  };
  const values: Value[] = [];
  const conditions = Object.entries(columns).map(([name, value]) =>
    value === null || value === undefined ? `${name} is null` : `${name} = $${values.push(value)}`,
  );
  const { rows } = await pool.query(
    `select 1 from ${schema}.events where ${conditions.join(" and ")} limit 1`,
    values,
  );
  return rows.length > 0;
}
