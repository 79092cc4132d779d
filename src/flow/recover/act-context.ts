import type { Ports } from "../../ports/index.ts";
import type { Interruption } from "../../ports/interruption.ts";
import { lastSessionOf } from "../../store/statements/last-session-of.ts";
import type { SessionRow } from "../../store/statements/rows.ts";
import type { RunEvent } from "../run/run-event.ts";

/** What an act works with. */
export interface ActContext {
  readonly ports: Ports;
  readonly because: string;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  readonly interruption?: Interruption | undefined;
}

/** The session that last worked on a step: whoever does something with it again does it the same way. */
export async function lastRunOf(
  ports: Ports,
  plan_path: string,
  anchor: string,
): Promise<SessionRow | undefined> {
  const database = await ports.database();
  return database.read((sql) => sql.get(lastSessionOf, { plan_path, anchor }));
}
