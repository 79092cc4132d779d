import { Failure } from "../domain/errors.ts";
import type { Ports } from "../ports/index.ts";

export interface PrepareAnswer {
  /** The file, or the server without user and password. */
  readonly database: string;
  readonly created: boolean;
  /** Files that look like plans, as paths under the repository. */
  readonly plansFound: readonly string[];
}

/** Makes the database where there is none, also where one was lost, and looks for plans. */
export async function prepare(ports: Ports): Promise<PrepareAnswer> {
  const found = await ports.database().catch(unlessMissing);
  const { where } = found ?? (await ports.database({ create: true, evenIfLost: true }));
  return { database: where, created: found === undefined, plansFound: ports.plans.search() };
}

function unlessMissing(error: unknown): undefined {
  const isMissing =
    error instanceof Failure &&
    (error.problem === "plan/not-initialised" || error.problem === "store/missing");
  if (!isMissing) throw error;
}
