import { orNothing } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { missingPackages } from "../prepare/missing-packages.ts";
import { reportOf, shortfallOf } from "../work/agent-grant.ts";
import { chooseAgent } from "../work/choose-agent.ts";
import type { Worker } from "../work/worker.ts";

/** What a person should know before the agents begin: what lacks a sandbox, and what their worktrees lack. */
export async function openingNotes(ports: Ports, worker: Worker): Promise<readonly string[]> {
  const missing =
    worker.integration === undefined ? undefined : missingPackages(ports, worker.session.worktree.path);
  return [...(await shortfalls(ports, worker)), ...(missing === undefined ? [] : [missing])];
}

/** Which agents of the run get less than was asked for, one line each. */
async function shortfalls(ports: Ports, { settings, config, workflow }: Worker): Promise<readonly string[]> {
  const names = workflow.commands.flatMap(({ work, agent }) => ("argv" in work ? [] : [agent]));
  const others = [
    ...(config.fallback ?? []),
    ...(settings.verify.agent === undefined ? [] : [settings.verify.agent]),
  ];
  const agents = [...new Set([...names, ...others])];
  if (agents.length === 0) return [];
  const tools = await (await ports.sandbox()).tools();
  const lines = agents.flatMap((name) => {
    try {
      return shortfallOf(reportOf(chooseAgent({ settings, config }, name), tools)) ?? [];
    } catch (error) {
      // A verification needs no agent; where one is needed, a missing one was refused before the session was opened.
      return orNothing(error) ?? [];
    }
  });
  return [...new Set(lines)];
}
