import { settingsTemplate } from "../config/settings-template.ts";
import { Failure } from "../domain/errors.ts";
import type { Ports } from "../ports/index.ts";

export interface PrepareAnswer {
  /** The file, or the server without user and password. */
  readonly database: string;
  readonly created: boolean;
  readonly settingsFile: string;
  readonly settingsCreated: boolean;
  /** Files that look like plans, as paths under the repository. */
  readonly plansFound: readonly string[];
  /** Files with open boxes: plans, if somebody says so. */
  readonly checklistsFound: readonly string[];
}

/** Makes the database where there is none, also where one was lost, and the settings; looks for plans. */
export async function prepare(ports: Ports): Promise<PrepareAnswer> {
  const found = await ports.database().catch(unlessMissing);
  const { where } = found ?? (await ports.database({ create: true, evenIfLost: true }));
  const { settingsFile } = ports;
  const settingsCreated = offerSettings(ports);
  return {
    database: where,
    created: found === undefined,
    settingsFile,
    settingsCreated,
    plansFound: ports.plans.search(),
    checklistsFound: ports.plans.checklists(),
  };
}

function unlessMissing(error: unknown): undefined {
  const isMissing =
    error instanceof Failure &&
    (error.problem === "plan/not-initialised" || error.problem === "store/missing");
  if (!isMissing) throw error;
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
