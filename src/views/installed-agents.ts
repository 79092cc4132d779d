import { containmentOf, type NamedAgent, runSettingsOf } from "../agents/index.ts";
import { type PermissionProfile, safeBlock } from "../domain/index.ts";
import type { Commands, Ports, SandboxTools } from "../platform/ports/index.ts";

/** An agent that can be run here, and what it gets. */
export interface InstalledAgent {
  readonly name: string;
  readonly about: string;
  readonly preset: string;
  readonly program: string;
  /** Null where the program does not print it in time. */
  readonly version: string | null;
  readonly model: string | null;
  /** What `pawl.toml` asks for, and what it gets on this machine. */
  readonly permissions: PermissionProfile;
  readonly profile: PermissionProfile;
  /** `own`: by its own sandbox. `pawl`: Pawl starts it in one. Null: by nothing. */
  readonly containedBy: "own" | "pawl" | null;
  /** Why it gets less than was asked for. */
  readonly missing: string | null;
  /** Whether its conversations can be taken up again. */
  readonly isResumable: boolean;
  /** Whether a run uses it unless another is named. */
  readonly isDefault: boolean;
}

export interface AgentsAnswer {
  readonly agents: readonly InstalledAgent[];
  /** Those that Pawl knows and this machine does not have. */
  readonly notInstalled: readonly string[];
}

/** A person waits for the list: a program that takes longer to say its version is listed without. */
const VERSION_MS = 1000;

export interface AgentsRequest {
  /** False where only the names count: a program that is asked for its version takes a while. */
  readonly versions?: boolean | undefined;
}

/** All that is needed of the ports: no repository must be there. */
type AgentPorts = Pick<Ports, "settings" | "settingsFile" | "commands" | "sandbox"> & {
  readonly repository: Pick<Ports["repository"], "topLevel">;
};

/** The agents of this machine, as a run would start them. */
export async function installedAgents(
  ports: AgentPorts,
  { versions = true }: AgentsRequest,
): Promise<AgentsAnswer> {
  const { agents, agent: chosen } = runSettingsOf(ports);
  const commands = await ports.commands();
  // Trying the sandbox and asking programs for their versions take the longest: side by side.
  const tools = ports.sandbox().then((sandbox) => sandbox.tools());
  const known = Object.values(agents).filter(({ program }) => program.length > 0);
  const from = ports.repository.topLevel;
  const found = commands.find([...new Set(known.map(({ program }) => program[0]!))], from);
  const here = known.filter(({ program }) => Object.hasOwn(found, program[0]!));
  const listed = here.map((agent) =>
    describe(agent, { path: found[agent.program[0]!]!, commands, tools, chosen, versions }),
  );
  return {
    agents: await Promise.all(listed),
    notInstalled: known.filter((agent) => !here.includes(agent)).map(({ name }) => name),
  };
}

interface Around {
  readonly path: string;
  readonly commands: Commands;
  readonly tools: Promise<SandboxTools>;
  readonly chosen: string | undefined;
  readonly versions: boolean;
}

async function describe(
  agent: NamedAgent,
  { path, commands, tools, chosen, versions }: Around,
): Promise<InstalledAgent> {
  const { name, preset, presetName, model, permissions } = agent;
  const [version, found] = await Promise.all([
    versions ? versionOf(commands, path, agent) : undefined,
    tools,
  ]);
  const { profile, by, missing } = containmentOf(preset, permissions, found);
  return {
    name,
    about: preset.about,
    preset: presetName,
    program: path,
    version: version ?? null,
    model: model ?? null,
    permissions,
    profile,
    containedBy: by ?? null,
    missing: missing ?? null,
    isResumable: preset.resume !== undefined,
    isDefault: name === chosen,
  };
}

/** Only a program that is known to have the option is asked for its version; any other may do whatever it does. */
async function versionOf(
  commands: Commands,
  path: string,
  { preset, program }: NamedAgent,
): Promise<string | undefined> {
  const known = commands.version(path);
  if (known !== undefined || program.length > 1 || preset.program === undefined) return known;
  const { ok, output } = await commands.run([path, "--version"], { cwd: "/", timeoutMs: VERSION_MS });
  return ok ? /(?<!\d)\d+\.\d+[\w.+-]*/.exec(safeBlock(output))?.[0] : undefined;
}
