import {
  AGENTS,
  containmentOf,
  type AgentContainment,
  type Grant,
  type NamedAgent,
  type RunSettings,
} from "../../agents/index.ts";
import { type PermissionProfile, shellArgument } from "../../domain/index.ts";
import type { Containment, Ports, SandboxTools } from "../../platform/ports/index.ts";
import type { ClaimedStep } from "../../steps/index.ts";
import type { Worker } from "./worker.ts";

/** What an agent may do in a run of this repository, and what keeps it to that. */
export interface AgentPermissions {
  readonly profile: PermissionProfile;
  readonly grant: Grant;
  readonly containment: Containment | undefined;
}

/** The agent that is started, and where. */
export interface AgentPlace {
  readonly agent: NamedAgent | undefined;
  /** The worktree of the session, and the folder that the agent starts in. */
  readonly worktree: string;
  readonly cwd: string;
  /** Whether it does the work of a step, and ticks its items. */
  readonly ticks?: boolean | undefined;
}

/**
 * The profile of an agent with what it takes here: the check that decides about its work may always run, and Pawl's
 * state may be written, except for the logs, which are not an agent's business.
 */
export async function permissionsOf(
  ports: Ports,
  { verify }: Pick<RunSettings, "verify">,
  { agent, worktree, cwd, ticks = false }: AgentPlace,
): Promise<AgentPermissions> {
  const { stateDir, repository } = ports;
  const sandbox = await ports.sandbox();
  const tools = await sandbox.tools();
  const check = verify.command?.map(shellArgument).join(" ");
  const shared = [stateDir, ...stateBeside(ports), ...(agent?.writable ?? []).map(sandbox.folder)];
  const kept = [`${stateDir}/logs`];
  const grant = {
    commands: [...(check === undefined ? [] : [check]), ...(agent?.allow ?? [])],
    writable: shared,
    kept,
    isRoot: process.geteuid?.() === 0,
    ticks,
  };
  // A program of a workflow is the person's own choice, as a check is.
  if (agent === undefined) return { profile: "full", grant, containment: undefined };
  const { profile, by } = containmentOf(agent.preset, agent.permissions, tools);
  const git = gitFolders(repository.commonDir, worktree, ports);
  return {
    profile,
    grant,
    containment:
      by === "pawl"
        ? {
            program: tools.bubblewrap!,
            writable: [...sandbox.temporary, worktree, cwd, ...git.writable, ...shared],
            kept: [...kept, ...git.kept],
            own: ownFoldersOf(agent).map(sandbox.folder),
          }
        : undefined,
  };
}

/** An agent that Pawl knows has its own folders also where a person starts it by another preset. */
function ownFoldersOf({ preset, program: [program = ""] }: NamedAgent): readonly string[] {
  const name = program.slice(program.lastIndexOf("/") + 1);
  const known = Object.values(AGENTS).find((one) => one.program === name) ?? preset;
  return known.ownFolders;
}

/** Locks stay in the git directory also where the state is kept elsewhere. */
const stateBeside = ({ stateDir, repository: { commonDir } }: Ports): readonly string[] =>
  stateDir === `${commonDir}/pawl` ? [] : [`${commonDir}/pawl`];

/**
 * What git itself writes for a commit of an agent. Its settings and hooks stay out of reach: Pawl's own git would run
 * what they name, outside of any sandbox.
 */
function gitFolders(
  commonDir: string,
  worktree: string,
  { files }: Pick<Ports, "files">,
): { readonly writable: readonly string[]; readonly kept: readonly string[] } {
  const link = `${worktree}/.git`;
  const isMain = files.list(link) !== undefined;
  const shared = ["objects", "refs", "logs"].map((name) => `${commonDir}/${name}`);
  const kept = ["config", "config.worktree", "hooks", "info", "modules", "pawl-bin", "pawl-proof"];
  if (isMain) return { writable: [commonDir], kept: kept.map((name) => `${commonDir}/${name}`) };
  const [, own] = /^gitdir: (.+)$/m.exec(textOf(files, link) ?? "") ?? [];
  return { writable: [...shared, ...(own === undefined ? [] : [own])], kept: [link] };
}

/** What an agent of a run gets, and what people should know about it. */
export interface AgentReport extends AgentContainment {
  readonly agent: NamedAgent;
}

export const reportOf = (agent: NamedAgent, tools: SandboxTools): AgentReport => ({
  agent,
  ...containmentOf(agent.preset, agent.permissions, tools),
});

/** One line where an agent gets less than was asked for; undefined where it gets all. */
export function shortfallOf({ agent, missing, install }: AgentReport): string | undefined {
  if (missing === undefined) return undefined;
  const instead = agent.preset.hasCommandList
    ? "it may edit, and run only pawl, verify.command and what `allow` names"
    : "nothing contains it: it may write whatever you may";
  const help = install === undefined ? "" : ` Install ${install}.`;
  return `${agent.name} runs without a sandbox: ${missing}; ${instead}.${help}`;
}

/** Says while it happens that an agent was refused something, and what would allow it. */
export function reportRefusal(
  { report }: Pick<Worker, "report">,
  { agent, held }: { readonly agent: NamedAgent | undefined; readonly held: ClaimedStep | undefined },
  what: string,
): void {
  if (agent === undefined) return;
  const { name } = agent;
  report({ event: "refused", step: held?.anchor, agent: name, what, allowWith: allowWith(name, what) });
}

/** The setting that would allow what an agent was refused. */
function allowWith(agent: string, what: string): string {
  const path = /^write (.+)$/.exec(what)?.[1];
  const value = path === undefined ? `allow = ${toml(what)}` : `writable = ${toml(path)}`;
  return `${value} under [agents.${agent}] in pawl.toml`;
}

const toml = (text: string): string => JSON.stringify([text.split("\n", 1)[0]!.slice(0, 200)]);

const MOST_SETTINGS = 1024 * 1024;

/** Reads what the agent's arguments name, from the folder that it starts in. */
export const settingsReader =
  ({ files }: Pick<Ports, "files">, folder: string) =>
  (name: string): string | undefined => {
    const path = name.startsWith("/") ? name : `${folder}/${name}`;
    return textOf(files, path);
  };

const textOf = (files: Ports["files"], path: string): string | undefined =>
  files.exists(path) ? new TextDecoder().decode(files.read(path, MOST_SETTINGS)) : undefined;
