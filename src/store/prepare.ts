import { type ChosenSettings, settingsTemplate } from "../platform/config/index.ts";
import { Failure } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { findSpec, loadCheckPlan, noticeForgotten, planPathFromHere } from "../plans/index.ts";

export interface PrepareAnswer {
  /** The file, or the server without user and password. */
  readonly database: string;
  readonly created: boolean;
  readonly settingsFile: string;
  readonly settingsCreated: boolean;
  /** Files that look like plans, as paths under the repository. */
  readonly plansFound: readonly string[];
  /** Files with open boxes: plans, if a person says so. */
  readonly checklistsFound: readonly string[];
  /** Which of them cannot be run as they are, and how many errors each has. */
  readonly plansWithErrors: readonly { readonly planPath: string; readonly errors: number }[];
  /** The worktree it was asked from; null in a bare repository, where no plan can lie. */
  readonly worktree: string | null;
}

export interface PrepareRequest {
  /** What a new `pawl.toml` sets; one that exists stays as it is. */
  readonly chosen?: ChosenSettings | undefined;
}

/** Makes the database where there is none, also where one was lost, and the settings; looks for plans. */
export async function prepare(ports: Ports, { chosen }: PrepareRequest): Promise<PrepareAnswer> {
  const found = await ports.database().catch(unlessMissing);
  const { where } = found ?? (await ports.database({ create: true, evenIfLost: true }));
  const { settingsFile } = ports;
  const settingsCreated = offerSettings(ports, chosen);
  const plansFound = ports.plans.search();
  const checklistsFound = ports.plans.checklists();
  await noticeForgotten(ports);
  return {
    database: where,
    created: found === undefined,
    settingsFile,
    settingsCreated,
    plansFound,
    checklistsFound,
    plansWithErrors: await withErrors(ports, [...plansFound, ...checklistsFound]),
    worktree: ports.repository.topLevel ?? null,
  };
}

/** A spec folder is none of them: a run has its planner write the plan, or write it again. */
async function withErrors(ports: Ports, found: readonly string[]): Promise<PrepareAnswer["plansWithErrors"]> {
  const { checkPlan } = await loadCheckPlan();
  const checked: { readonly planPath: string; readonly errors: number }[] = [];
  for (const planPath of found) {
    const plan = planPathFromHere(ports, planPath);
    if (findSpec(ports, plan)) continue;
    const { errors } = await checkPlan(ports, { plan }).catch(asOneError);
    if (errors > 0) checked.push({ planPath, errors });
  }
  return checked;
}

function asOneError(error: unknown): { readonly errors: number } {
  if (error instanceof Failure) return { errors: 1 };
  throw error;
}

function unlessMissing(error: unknown): undefined {
  const isMissing =
    error instanceof Failure &&
    (error.problem === "plan/not-initialised" || error.problem === "store/missing");
  if (!isMissing) throw error;
}

/** False when there is a file already: it stays, whatever it says. */
function offerSettings({ files, settingsFile }: Ports, chosen: ChosenSettings | undefined): boolean {
  if (files.exists(settingsFile)) return false;
  try {
    files.create(settingsFile, settingsTemplate(chosen));
    return true;
  } catch (error) {
    if (error instanceof Failure && error.problem === "file/exists") return false;
    throw error;
  }
}
