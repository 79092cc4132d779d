import { Failure, isHeld } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import type { SessionRow, StepRow } from "../platform/index.ts";
import { isDead } from "../sessions/index.ts";

/**
 * Refuses to move state away under a session that is at work.
 *
 * It would go on writing to where the state was, and no command would ever read that. A session of this machine lives
 * unless its lifeline says otherwise; one of another machine lives until that machine says so.
 */
export function refuseAtWork(ports: Ports, sessions: readonly SessionRow[], steps: readonly StepRow[]): void {
  const living = new Set(
    sessions
      .filter((session) => session.status === "in_progress" && mayLive(ports, session))
      .map(({ id }) => id),
  );
  const held = steps.filter(
    (step) =>
      step.parent_anchor === null &&
      isHeld(step.status) &&
      step.session_id !== null &&
      living.has(step.session_id),
  );
  const [first] = held;
  if (!first) return;
  const { anchor, plan_path, session_id, claimed_by, claimed_host, lease_expires_at } = first;
  const more = held.length > 1 ? ` (and ${held.length - 1} more)` : "";
  throw new Failure(
    "plan/in-use",
    `${anchor} of ${plan_path} is held by session ${session_id} in ${claimed_by} on ${claimed_host}, until ${lease_expires_at}${more}.`,
    {
      held: held.map((step) => ({
        plan_path: step.plan_path,
        anchor: step.anchor,
        session_id: step.session_id,
        claimed_by: step.claimed_by,
        host: step.claimed_host,
        until: step.lease_expires_at,
      })),
    },
    { hint: "Wait until the session is over; nothing was copied." },
  );
}

const mayLive = (ports: Ports, session: SessionRow): boolean =>
  session.host_id !== ports.machine.hostId || !isDead(ports, session);
