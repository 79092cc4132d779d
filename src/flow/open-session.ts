import { fromInstant, toInstant } from "../domain/instant.ts";
import type { Ports } from "../ports/index.ts";
import type { Worktree } from "../ports/repository.ts";
import { endSession } from "../store/statements/end-session.ts";
import { forgetRequests, KEPT_REQUESTS } from "../store/statements/forget-requests.ts";
import { insertSession } from "../store/statements/insert-session.ts";
import { journal } from "./journal.ts";

/** Nobody repeats a call after this long. */
const REQUESTS_KEPT_MS = 7 * 24 * 3600 * 1000;

export interface SessionRequest {
  readonly plan?: string | undefined;
  readonly worktree: Worktree;
}

export interface OpenSession {
  readonly id: string;
  readonly worktree: Worktree;
  /** Ends the session in order. Steps it still holds are free for others from then on. */
  readonly end: (status: "completed" | "failed" | "abandoned") => Promise<void>;
}

/**
 * Starts a supervised session: while this process lives, nobody takes its steps, and the moment it dies, anybody may.
 *
 * The lifeline is held before the row exists. The other way round, somebody could look between the two, find a
 * session without a lifeline, and declare it dead.
 */
export async function openSession(ports: Ports, request: SessionRequest): Promise<OpenSession> {
  const id = `s-${ports.newId()}`;
  const plan = request.plan === undefined ? undefined : ports.plans.locate(request.plan).key;
  const database = await ports.database({ create: true });
  const lifeline = ports.lifelines.hold(id);
  const { pid, startedAt } = ports.processes.self();
  const { worktree } = request;
  const entry = { ...(plan === undefined ? {} : { plan }), worktree: worktree.path, session: id };
  try {
    await database.write(async (sql) => {
      await sql.run(insertSession, {
        id,
        plan_path: plan ?? null,
        worktree: worktree.path,
        worktree_id: worktree.id,
        pid,
        process_started_at: startedAt,
        boot_id: ports.machine.bootId,
        host_id: ports.machine.hostId,
        now: sql.now,
      });
      await journal(sql, { event: "session-opened", ...entry, detail: { pid } });
      await sql.run(forgetRequests, {
        before: toInstant(fromInstant(sql.now) - REQUESTS_KEPT_MS),
        kept: KEPT_REQUESTS,
      });
    });
  } catch (error) {
    lifeline.letGo();
    ports.lifelines.forget(id);
    throw error;
  }
  return {
    id,
    worktree,
    async end(status) {
      await database.write(async (sql) => {
        await sql.run(endSession, {
          id,
          status,
          interrupted_at: null,
          interruption_type: null,
          now: sql.now,
        });
        await journal(sql, { event: "session-ended", ...entry, detail: { status } });
      });
      lifeline.letGo();
      ports.lifelines.forget(id);
    },
  };
}
