import type { Ports } from "../platform/ports/index.ts";
import { runSettingsOf } from "../agents/index.ts";
import { openIfThere } from "../journal/index.ts";
import { listPlanRows } from "../plans/index.ts";

/** What can be started: plans without state, and the agents that could work on them. */
export interface StartingPoints {
  /** Plans in the usual places that have no state yet. */
  readonly unread: readonly string[];
  /** Other Markdown files there with open boxes: plans, if a person says so. */
  readonly checklists: readonly string[];
  readonly agents: readonly {
    readonly name: string;
    /** Whether its program is on this machine. */
    readonly isHere: boolean;
    /** Whether the settings name it for runs. */
    readonly isChosen: boolean;
  }[];
  readonly workflows: readonly string[];
  readonly workflow: string;
}

export async function startingPoints(ports: Ports): Promise<StartingPoints> {
  const database = await openIfThere(ports);
  const rows = (await database?.read((sql) => sql.all(listPlanRows, {}))) ?? [];
  const known = new Set(rows.map(({ plan_path }) => plan_path));
  const isNew = (key: string): boolean => !known.has(key);
  const settings = runSettingsOf(ports);
  const chosen = new Set(settings.order);
  const named = Object.values(settings.agents).map(({ name, program, preset }) => ({
    name,
    program: program[0] ?? preset.program,
  }));
  const programs = named.flatMap(({ program }) => program ?? []);
  const from = ports.repository.mainTopLevel ?? ports.caller.folder;
  const found = (await ports.commands()).find(programs, from);
  return {
    unread: ports.plans.search().filter(isNew),
    checklists: ports.plans.checklists().filter(isNew),
    agents: named.map(({ name, program }) => ({
      name,
      isHere: program !== undefined && Object.hasOwn(found, program),
      isChosen: chosen.has(name),
    })),
    workflows: Object.keys(settings.workflows),
    workflow: settings.workflow,
  };
}
