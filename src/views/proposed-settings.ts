import { knownAgents, runSettingsOf } from "../agents/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { detectProject, type DetectedProject } from "./detect-project.ts";

/** What a new `pawl.toml` could set here. */
export interface ProposedSettings extends DetectedProject {
  readonly settingsFile: string;
  /** Whether the file is there: then it stays as it is. */
  readonly exists: boolean;
  /** The agent that it names. */
  readonly agent: string | undefined;
  /** The agents that are installed, the one to take first. */
  readonly agents: readonly string[];
  /** Every agent that a run accepts by name. */
  readonly known: readonly string[];
}

/** Manifests are small; a lock file need not be read to know that it is there. */
const MOST_BYTES = 4 * 1024 * 1024;

/** What the machine and the files of the project suggest for a new `pawl.toml`. Changes nothing. */
export async function proposedSettings(ports: Ports): Promise<ProposedSettings> {
  const { files, settingsFile, repository } = ports;
  const top = repository.mainTopLevel ?? repository.topLevel;
  const settings = runSettingsOf(ports);
  const known = await knownAgents(ports, settings);
  return {
    settingsFile,
    exists: files.exists(settingsFile),
    agent: settings.agent,
    agents: known.filter(({ path }) => path !== null).map(({ name }) => name),
    known: known.map(({ name }) => name),
    ...detectProject((name) => (top === undefined ? undefined : textOf(ports, `${top}/${name}`))),
  };
}

/** A file that is too large or no text is there all the same. */
function textOf({ files }: Ports, path: string): string | undefined {
  if (!files.exists(path)) return undefined;
  try {
    return files.readText(path, MOST_BYTES) ?? "";
  } catch {
    return "";
  }
}
