import { agentOf, type NamedAgent } from "../../agents/index.ts";
import type { Worker } from "./worker.ts";

/** The agent that a command asks, with what the person brought for it. */
export function chooseAgent(
  { settings, config }: Pick<Worker, "settings" | "config">,
  name: string | undefined,
): NamedAgent {
  const wanted = name ?? config.agent;
  if (wanted !== "command" || config.argv === undefined) return agentOf(settings, wanted);
  return { ...settings.agents["command"]!, program: config.argv };
}
