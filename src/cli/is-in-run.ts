import type { HookVerbs } from "../api.ts";

interface Asker {
  readonly pawl: () => Promise<Pick<HookVerbs, "whoseAgent">>;
}

/** Whether a run that is at work has started the agent that calls. */
export async function isInRun({ pawl }: Asker): Promise<boolean> {
  const agent = await (await pawl()).whoseAgent();
  return agent?.kind === "run" && agent.isLive;
}
