import {
  type AgentEvent,
  NO_USAGE,
  spentOf,
  type Usage,
  type UsageSums,
  usedOfConversation,
} from "../../domain/index.ts";
import type { CommandReport } from "../../platform/ports/index.ts";
import { sumConversationUsage } from "../../sessions/index.ts";
import { noteSpending, type Spending } from "./checkpoint.ts";
import type { CommandToRun } from "./run-command.ts";
import type { Worker } from "./worker.ts";

/** Often enough that a kill loses little, seldom enough that the writes are not felt. */
const EVERY_MS = 5000;
const MICROS = 1_000_000;

type Tracked = Pick<CommandToRun, "held" | "agent" | "place" | "conversation">;
type Reported = Pick<CommandReport, "usage" | "conversation">;

/** Keeps on record what a command uses while it runs. */
export async function trackSpending(worker: Worker, command: Tracked, number: number) {
  const { clock } = worker.ports;
  const { agent, held, place } = command;
  const before = await usedBefore(worker, command);
  let writtenMs = -Infinity;
  let writing: Promise<void> | undefined;
  /** Undefined where nothing was used. */
  const of = ({ usage, conversation }: Reported): Spending | undefined => {
    const spent = agent && spentOf(usedOfConversation(usage, conversation, before), agent.price);
    return spent && { spent, agent: agent.name, position: place.position };
  };
  const write = (report: Reported) => {
    const spending = of(report);
    if (spending === undefined) return;
    writtenMs = clock.uptimeMs();
    // What cannot be noted now is written with the end of the command.
    writing = noteSpending(worker, held, number, spending)
      .catch(() => undefined)
      .finally(() => (writing = undefined));
  };
  return {
    of,
    take(event: AgentEvent, report: () => Reported): void {
      if (event.kind !== "usage" && event.kind !== "message-usage") return;
      if (writing === undefined && clock.uptimeMs() - writtenMs >= EVERY_MS) write(report());
    },
    /** A write that is under way must not come after the last one. */
    settled: () => writing ?? Promise.resolve(),
  };
}

/** What earlier runs of the conversation are on record with: some agents report the total of all of them. */
async function usedBefore({ ports }: Worker, { agent, conversation }: Tracked): Promise<Usage> {
  if (agent === undefined || conversation === undefined) return NO_USAGE;
  const of = { agent: agent.name, agent_session: conversation };
  const database = await ports.database();
  const rows = await database.read((sql) => sql.all(sumConversationUsage, of));
  // A run that was cut off never reported its price, and the agent's own total leaves it out.
  const priced = rows.filter(({ cost_micros }) => cost_micros !== null);
  const counted = priced.length > 0 ? priced : rows;
  const sum = (field: keyof UsageSums) => counted.reduce((all, row) => all + (row[field] ?? 0), 0);
  return {
    inputTokens: sum("input_tokens"),
    outputTokens: sum("output_tokens"),
    costUsd: sum("cost_micros") / MICROS,
  };
}
