import { Failure } from "../domain/errors.ts";
import type { HookVerbs } from "../pawl.ts";

interface Asker {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pawl: () => Promise<Pick<HookVerbs, "showSession">>;
}

/** Whether a run that is at work has started the agent that calls. */
export async function isInRun({ env, pawl }: Asker): Promise<boolean> {
  const id = env["PAWL_SESSION"];
  if (!id) return false;
  const session = await (await pawl()).showSession({ id }).catch((error: unknown) => {
    if (error instanceof Failure) return undefined;
    throw error;
  });
  return session?.kind === "run" && session.status === "in_progress";
}
