import type { AgentEvent } from "../../domain/index.ts";
import { noteDelivered } from "../../journal/index.ts";
import { lockedStep } from "../../plans/index.ts";
import type { SupervisedEnd } from "../../platform/ports/index.ts";
import type { CommandToRun } from "./run-command.ts";
import type { Worker } from "./worker.ts";

/** Notes that an agent has got the messages in its prompt. */
export interface DeliveryNotes {
  readonly take: (event: AgentEvent) => void;
  /** The command has ended by itself: whatever it printed, it had its prompt. */
  readonly settled: () => Promise<void>;
}

/**
 * A message counts as delivered once its agent has said something: by then it has read its prompt. Killed before that,
 * the next start gives it again; so none is lost, and none is noted twice.
 */
export function trackDelivery(
  worker: Worker,
  { held, messages: numbers = [] }: Pick<CommandToRun, "held" | "messages">,
  checkpoint: number,
): DeliveryNotes {
  let noted: Promise<void> | undefined;
  const note = async () => {
    if (held === undefined || numbers.length === 0) return;
    const { plan, anchor, claim } = held;
    const database = await worker.ports.database();
    await database.write(async (sql) => {
      await lockedStep(sql, plan, anchor);
      const delivery = { numbers, session: worker.session.id, claim, checkpoint };
      await noteDelivered(sql, { plan_path: plan, anchor }, delivery);
    });
  };
  return {
    take(event) {
      // A note that fails is made at the end.
      if (event.kind === "text" || event.kind === "tool")
        noted ??= note().catch(() => {
          noted = undefined;
        });
    },
    async settled() {
      await noted;
      noted ??= note();
      await noted;
    },
  };
}

/** What an agent of the workflow said last; a verification has its verdict. */
export const saidBy = ({ agent, place, command: { name, type } }: CommandToRun, { report }: SupervisedEnd) =>
  agent && place.position >= 0 ? { name, type, text: report.closing } : undefined;
