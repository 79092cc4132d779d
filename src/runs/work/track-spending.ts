import type { NamedAgent } from "../../agents/index.ts";
import { type AgentEvent, spentOf, type Usage } from "../../domain/index.ts";
import type { ClaimedStep } from "../../steps/index.ts";
import { noteSpending, type Spending } from "./checkpoint.ts";
import type { Worker } from "./worker.ts";

/** Often enough that a kill loses little, seldom enough that nobody feels the writes. */
const EVERY_MS = 5000;

export interface TrackedCommand {
  readonly number: number;
  readonly held: ClaimedStep | undefined;
  readonly agent: NamedAgent | undefined;
  readonly position: number;
}

/** Keeps on record what a command uses while it runs. */
export function trackSpending(worker: Worker, command: TrackedCommand) {
  const { clock } = worker.ports;
  let writtenMs = -Infinity;
  let writing: Promise<void> | undefined;
  const write = (usage: Usage) => {
    const spending = spendingOf(command, usage);
    if (spending === undefined) return;
    writtenMs = clock.uptimeMs();
    // What cannot be noted now is written with the end of the command.
    writing = noteSpending(worker, command.held, command.number, spending)
      .catch(() => undefined)
      .finally(() => (writing = undefined));
  };
  return {
    take(event: AgentEvent, usage: () => Usage): void {
      if (event.kind !== "usage" && event.kind !== "message-usage") return;
      if (writing === undefined && clock.uptimeMs() - writtenMs >= EVERY_MS) write(usage());
    },
    /** A write that is under way must not come after the last one. */
    settled: () => writing ?? Promise.resolve(),
  };
}

/** Undefined where nothing was used. */
export function spendingOf({ agent, position }: TrackedCommand, usage: Usage): Spending | undefined {
  const spent = agent && spentOf(usage, agent.price);
  return spent && { spent, agent: agent.name, position };
}
