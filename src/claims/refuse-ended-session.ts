import { Failure } from "../domain/index.ts";
import type { SessionRow } from "../platform/index.ts";

/** A step given to a session that is over would be free for everybody the same moment. */
export function refuseEndedSession(id: string | undefined, session: SessionRow | undefined): void {
  if (id === undefined || session?.status === "in_progress") return;
  const what = session ? `is over (${session.status})` : "is not known here";
  throw new Failure("session/over", `Session ${id} ${what}.`, {
    session_id: id,
    status: session?.status ?? null,
  });
}
