import { compose } from "./compose.ts";
import { type ErrorName, Failure } from "./domain/index.ts";
import { type Pawl, pawlOn } from "./api.ts";
import type { StepHeartbeatData } from "./platform/os/index.ts";
import type { RenewLease } from "./platform/ports/index.ts";

/** Renews the lease of a claimed step, over a connection of the thread's own. */
export async function stepHeartbeat(given: unknown): Promise<RenewLease> {
  const { cwd, env, claim } = given as StepHeartbeatData;
  const pawl = await opened(cwd, env);
  return async () => {
    try {
      await pawl.heartbeat(claim);
      return "renewed";
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      // An agent that completed its own step by a verb has lost nothing.
      if (error.problem === "step/wrong-status" && error.details["status"] === "completed") return "over";
      if (REFUSALS.has(error.problem)) return { lost: error.message };
      throw error;
    }
  };
}

/** One for each place: the thread keeps many claims, one after the other, and a connection for each would stay open. */
const places = new Map<string, Promise<Pawl>>();

function opened(cwd: string, env: StepHeartbeatData["env"]): Promise<Pawl> {
  const place = JSON.stringify([cwd, env]);
  const known = places.get(place) ?? compose({ cwd, env }).then(pawlOn);
  places.set(place, known);
  known.catch(() => places.delete(place));
  return known;
}

/** The store has answered, and the answer is no. Everything else may be better the next time. */
const REFUSALS: ReadonlySet<ErrorName> = new Set<ErrorName>([
  "claim/fenced-off",
  "claim/not-owner",
  "session/over",
  "step/wrong-status",
  "step/unknown",
  "plan/not-initialised",
  "store/missing",
  "store/replaced",
]);
