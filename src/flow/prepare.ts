import { settingsTemplate } from "../config/settings-template.ts";
import { Failure } from "../domain/errors.ts";
import type { Ports } from "../ports/index.ts";

export interface PrepareAnswer {
  readonly database: string;
  readonly created: boolean;
  readonly settingsFile: string;
  readonly settingsCreated: boolean;
  /** Files that look like plans, as paths under the repository. */
  readonly plansFound: readonly string[];
}

/** Makes the database where there is none, also where one was lost, and the settings; looks for plans. */
export async function prepare(ports: Ports): Promise<PrepareAnswer> {
  const database = `${ports.stateDir}/state.db`;
  const created = !ports.files.exists(database);
  await ports.database({ create: true, evenIfLost: true });
  const { settingsFile } = ports;
  const settingsCreated = offerSettings(ports);
  return { database, created, settingsFile, settingsCreated, plansFound: ports.plans.search() };
}

/** False when there is a file already: it is somebody's, whatever it says. */
function offerSettings({ files, settingsFile }: Ports): boolean {
  if (files.exists(settingsFile)) return false;
  try {
    files.create(settingsFile, settingsTemplate());
    return true;
  } catch (error) {
    if (error instanceof Failure && error.problem === "file/exists") return false;
    throw error;
  }
}
