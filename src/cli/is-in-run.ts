import type { HookVerbs } from "../api.ts";

interface Asker {
  readonly pawl: () => Promise<Pick<HookVerbs, "callingAgent">>;
}

/** Whether a run that is at work has started the agent that calls. */
export async function isInRun({ pawl }: Asker): Promise<boolean> {
  const agent = await (await pawl()).callingAgent();
  return agent?.kind === "run" && agent.isLive;
}
