import type { Interruption, Ports } from "../../platform/ports/index.ts";
import { lastSessionOf } from "../../sessions/index.ts";
import type { SessionRow } from "../../platform/index.ts";
import type { RunEvent } from "../../runs/index.ts";

/** What an act works with. */
export interface ActContext {
  readonly ports: Ports;
  readonly because: string;
  /** Who verifies and plans; the agent that did the step when left out. */
  readonly agent?: string | undefined;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  readonly interruption?: Interruption | undefined;
}

/** The session that last worked on a step: a repair that works on it again does so the same way. */
export async function lastRunOf(
  ports: Ports,
  plan_path: string,
  anchor: string,
): Promise<SessionRow | undefined> {
  const database = await ports.database();
  return database.read((sql) => sql.get(lastSessionOf, { plan_path, anchor }));
}
