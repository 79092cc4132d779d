import type { AgentListener } from "../../agents/index.ts";
import { reportRefusal } from "./agent-grant.ts";
import { noteConversation } from "./checkpoint.ts";
import type { CommandToRun } from "./run-command.ts";
import type { Worker } from "./worker.ts";

/** Passes on what the agent reports, and keeps the name of its conversation once the agent tells it. */
export function listenTo(
  worker: Worker,
  request: CommandToRun,
  {
    number,
    conversation,
    takers,
  }: {
    readonly number: number;
    readonly conversation: string | undefined;
    readonly takers: readonly { readonly take: AgentListener }[];
  },
): { readonly onEvent: AgentListener; readonly noted: () => Promise<void> | undefined } {
  let noted: Promise<void> | undefined;
  return {
    noted: () => noted,
    onEvent(event, report) {
      for (const taker of takers) taker.take(event, report);
      if (event.kind === "refused") reportRefusal(worker, request, event.what);
      if (event.kind !== "session" || event.id === conversation) return;
      // Without it the conversation is begun anew after a crash, which is no reason to end the agent.
      noted ??= noteConversation(worker, number, event.id).catch(() => undefined);
    },
  };
}
