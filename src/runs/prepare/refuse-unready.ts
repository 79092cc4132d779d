import type { RunSettings } from "../../agents/index.ts";
import { Failure, ONLY_WHAT_IS_COMMITTED, shellWord, type Workflow } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { chooseAgent } from "../work/choose-agent.ts";
import type { RunConfig } from "./run-config.ts";

export interface Intended {
  readonly settings: RunSettings;
  readonly config: RunConfig;
  readonly workflow: Workflow;
}

/** Refuses what every step would fail by, before anything is claimed: no program to start, no name to commit as. */
export async function refuseUnready(ports: Ports, intended: Intended): Promise<void> {
  const [commands, problem] = await Promise.all([ports.commands(), ports.git.identityProblem()]);
  const programs = programsOf(intended);
  const found = commands.find(programs);
  const missing = programs.find((program) => found[program] === undefined);
  if (missing !== undefined)
    throw new Failure("agent/not-found", `${missing} is not on PATH.`, { program: missing });
  if (problem !== undefined)
    throw new Failure("run/no-identity", `Git has no author to commit as: ${problem}`, {});
}

/**
 * Refuses agents that are named by a path where no program is, before a session says that work has begun there. Only
 * the worktree can report: it has what is committed, and what its set-up made.
 */
export async function refuseMissingAgent(ports: Ports, intended: Intended, folder: string): Promise<void> {
  const programs = agentsOf(intended)
    .map((name) => chooseAgent(intended, name).program[0])
    .filter((program) => program?.includes("/")) as string[];
  const found = (await ports.commands()).find(programs, folder);
  const missing = programs.find((program) => found[program] === undefined);
  if (missing === undefined) return;
  const file = missing.startsWith("/") ? missing : `${folder}/${missing}`;
  const isThere = ports.files.exists(file) && ports.files.list(file) === undefined;
  throw new Failure(
    "agent/not-found",
    isThere
      ? `${missing} cannot be started: it is not executable. Nothing was started.`
      : `${missing} is no program that can be started in ${folder}; nothing was started.`,
    { program: missing, cwd: folder },
    { hint: isThere ? notExecutable(missing) : ONLY_WHAT_IS_COMMITTED },
  );
}

/** A path from the worktree is of a file that was committed as it is. */
const notExecutable = (program: string): string =>
  program.startsWith("/")
    ? `Make it executable with \`chmod +x ${shellWord(program)}\`, then run again.`
    : `Make it executable with \`chmod +x ${shellWord(program)}\` and commit that, then run again.`;

const agentsOf = ({ config, workflow }: Intended): readonly string[] =>
  workflow.commands.flatMap(({ work, agent }) => {
    if ("argv" in work) return [];
    return agent === undefined ? [config.agent, ...(config.fallback ?? [])] : [agent];
  });

/** By name alone: a path may be of a file that only the worktree has. */
function programsOf(intended: Intended): readonly string[] {
  const { settings, config, workflow } = intended;
  const agents = [
    ...agentsOf(intended),
    ...(settings.verify.agent === undefined ? [] : [settings.verify.agent]),
  ];
  const programs = [
    ...agents.map((name) => chooseAgent({ settings, config }, name).program[0]),
    ...workflow.commands.map(({ work }) => ("argv" in work ? work.argv[0] : undefined)),
    settings.verify.command?.[0],
  ];
  return [
    ...new Set(programs.filter((program) => program !== undefined && !program.includes("/"))),
  ] as string[];
}
