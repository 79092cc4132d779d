import type { Ports } from "../ports/index.ts";

export interface PrepareAnswer {
  readonly database: string;
  readonly created: boolean;
  /** Files that look like plans, as paths under the repository. */
  readonly plansFound: readonly string[];
}

/** Makes the database where there is none, also where one was lost, and looks for plans. */
export async function prepare(ports: Ports): Promise<PrepareAnswer> {
  const database = `${ports.stateDir}/state.db`;
  const created = !ports.files.exists(database);
  await ports.database({ create: true, evenIfLost: true });
  return { database, created, plansFound: ports.plans.search() };
}
