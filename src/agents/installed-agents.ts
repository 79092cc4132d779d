import type { Ports } from "../platform/ports/index.ts";
import type { NamedAgent, RunSettings } from "./settings/run-settings.ts";

/** An agent that the settings or Pawl itself know, and where its program is. */
export interface KnownAgent {
  readonly name: string;
  readonly agent: NamedAgent;
  /** The program as it is named: `claude`, `./scripts/my-agent`. */
  readonly program: string;
  /** Null where it is not installed. */
  readonly path: string | null;
  /** Whether a run uses it unless another is named. */
  readonly isChosen: boolean;
}

/** Every agent that has a program, in the order of the settings; a path is taken from the main checkout. */
export async function knownAgents(
  ports: Pick<Ports, "commands" | "repository">,
  { agents, order }: Pick<RunSettings, "agents" | "order">,
): Promise<readonly KnownAgent[]> {
  const programs = Object.values(agents).flatMap(({ program: [first] }) => first ?? []);
  const commands = await ports.commands();
  const found = commands.find(programs, ports.repository.mainTopLevel ?? ports.repository.topLevel);
  return Object.entries(agents).flatMap(([name, agent]) => {
    const [program] = agent.program;
    if (program === undefined) return [];
    return [{ name, agent, program, path: found[program] ?? null, isChosen: order.includes(name) }];
  });
}
