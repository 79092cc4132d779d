import type { NamedAgent } from "../../agents/index.ts";
import type { RunningCommand } from "../../platform/ports/index.ts";
import type { ClaimedStep } from "../../steps/index.ts";
import type { OpenCheckpoint } from "./checkpoint.ts";
import { watchSilence } from "./watch-silence.ts";
import type { Worker } from "./worker.ts";

export interface WatchedCommand {
  readonly agent: NamedAgent | undefined;
  readonly held: ClaimedStep | undefined;
  readonly begun: OpenCheckpoint;
  readonly started: RunningCommand;
  readonly over: AbortSignal;
}

/** Interrupts an agent that has stopped doing anything; programs have only their timeout. */
export async function interruptSilent(
  worker: Worker,
  { agent, held, begun, started, over }: WatchedCommand,
): Promise<void> {
  if (agent === undefined) return;
  const { ports, running, session, settings } = worker;
  const silenceMs = agent.silenceMs ?? settings.limits.silenceMs;
  const commits = await ports.commits();
  await watchSilence({
    clock: ports.clock,
    sleep: running.sleep,
    silenceMs,
    progress: started.progress,
    tree: () => commits.tree(session.worktree).catch(() => undefined),
    treeBefore: begun.before.tree,
    over,
    onSilence() {
      worker.report({ event: "silent", step: held?.anchor, agent: agent.name, silentMs: silenceMs });
      void started.stop("silence");
    },
  });
}
