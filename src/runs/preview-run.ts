import { composeStart, runSettingsOf, workflowOf } from "../agents/index.ts";
import type { VerifySettings } from "../verification/index.ts";
import { BRANCH_PREFIX, flatten, type WorkflowCommand } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { listSteps, readPlan, refuseUnsavable } from "../plans/index.ts";
import { formatCarriesStatus } from "../plans/formats/index.ts";
import { nameFor } from "../commits/index.ts";
import { openIfThere } from "../journal/index.ts";
import { planToRun } from "./prepare/plan-to-run.ts";
import { permissionsOf, reportOf, settingsReader, shortfallOf } from "./work/agent-grant.ts";
import { chooseAgent } from "./work/choose-agent.ts";
import { configOf, type RunRequest } from "./run.ts";

/** What a run would do. Nothing is written to find out. */
export interface RunPreview {
  readonly planPath: string;
  readonly workers: number;
  readonly workflow: string;
  readonly commands: readonly {
    readonly name: string;
    readonly type: string;
    readonly argv: readonly string[];
    /** The variables that carry permissions, of an agent that takes them so. */
    readonly env: Readonly<Record<string, string>>;
    /** The profile that the agent gets here; null of a program. */
    readonly permissions: string | null;
    /** `own`: by its own sandbox. `pawl`: Pawl starts it in bubblewrap. */
    readonly contained: "own" | "pawl" | null;
    /** Where it gets less than was asked for. */
    readonly shortfall?: string | undefined;
  }[];
  /** What must pass before a step is committed, in this order. */
  readonly verify: readonly string[];
  readonly branch: string | null;
  /** Whether the plan's own file shows how far its steps are, and so changes where the person works. */
  readonly writesPlan: boolean;
  readonly steps: readonly {
    readonly anchor: string;
    readonly title: string;
    readonly status: string;
    readonly dependsOn: readonly string[];
  }[];
}

/** Says what a run would do: which agents with which command lines, for which steps, and what decides that they are done. */
export async function previewRun(ports: Ports, request: RunRequest): Promise<RunPreview> {
  const settings = runSettingsOf(ports);
  const read = await readPlan(ports, await planToRun(ports, request.plan));
  refuseUnsavable(read);
  const config = configOf(settings, request, read.key);
  const workflow = workflowOf(settings, config.workflow);
  const folder = ports.repository.mainTopLevel ?? ports.caller.folder;
  const startOf = async ({ type, work, agent, maxTurns }: WorkflowCommand) => {
    if ("argv" in work) return { argv: work.argv, env: {}, permissions: null, contained: null };
    const choice = chooseAgent({ settings, config }, agent);
    const blanks = {
      model: choice.model,
      state_dir: ports.stateDir,
      max_turns: maxTurns === undefined ? undefined : String(maxTurns),
    };
    const ticks = workflow.perStep && type === "implement_spec";
    const at = { agent: choice, worktree: folder, cwd: folder, ticks };
    const { profile, grant } = await permissionsOf(ports, settings, at);
    const { argv, env } = composeStart({
      choice,
      blanks,
      mode: "start",
      profile,
      grant,
      pathOf: (file) => `<${file}>`,
      read: settingsReader(ports, folder),
    });
    const report = reportOf(choice, await (await ports.sandbox()).tools());
    return { argv, env, permissions: profile, contained: report.by ?? null, shortfall: shortfallOf(report) };
  };
  const statuses = await statusesOf(ports, read.key);
  return {
    planPath: read.key,
    workers: config.workers,
    workflow: workflow.name,
    commands: await Promise.all(
      workflow.commands.map(async (each) => ({ name: each.name, type: each.type, ...(await startOf(each)) })),
    ),
    verify: checksOf(settings.verify),
    branch: config.worktree === undefined ? `${BRANCH_PREFIX}${await nameFor(ports, read.key)}` : null,
    writesPlan: formatCarriesStatus(read.plan.format),
    steps: flatten(read.plan)
      .filter(({ parent }) => parent === undefined)
      .map(({ step: { anchor, title, dependsOn, progress } }) => ({
        anchor,
        title,
        status: statuses?.get(anchor) ?? progress?.status ?? "pending",
        dependsOn: dependsOn.map((one) => one.anchor),
      })),
  };
}

async function statusesOf(ports: Ports, key: string): Promise<ReadonlyMap<string, string> | undefined> {
  const database = await openIfThere(ports);
  if (database === undefined) return undefined;
  const rows = await database.read((sql) => sql.all(listSteps, { plan_path: key }));
  return new Map(rows.map(({ anchor, status }) => [anchor, status]));
}

const checksOf = ({ runCheckpoints, command, agent }: VerifySettings): readonly string[] => [
  "every item of the checklist is ticked",
  ...(runCheckpoints ? ["the commands that the plan itself names"] : []),
  ...(command ? [command.join(" ")] : []),
  ...(agent === undefined ? [] : [`agent ${agent} judges`]),
];
