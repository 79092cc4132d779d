import { messagesTo } from "../../journal/index.ts";
import type { CheckpointRow } from "../../platform/index.ts";
import type { Heartbeat } from "../../platform/ports/index.ts";
import { shellWord } from "../../domain/index.ts";
import { listCheckpoints } from "../../sessions/index.ts";
import type { ClaimedStep } from "../../steps/index.ts";
import { openWork } from "../../verification/index.ts";
import { verdictsOn } from "../verify/step-verdicts.ts";
import { agentsOfCommand } from "./pick-agent.ts";
import { continued, promptContext } from "./prompt-for.ts";
import { REMINDER } from "./reminder-name.ts";
import { type CommandDone, runSupervised } from "./run-command.ts";
import { viewOfStep } from "./step-view.ts";
import { conversationOf } from "./where-to-start.ts";
import type { Worker } from "./worker.ts";

/** An agent that is reminded and does not tick has a reason, and its last message says which. */
const MOST_REMINDERS = 1;

/**
 * Has an agent that ended with open items tick them, and gives it what a person has sent meanwhile, in its own
 * conversation and before anything is judged.
 *
 * Undefined where there is neither, the agent cannot be asked in its conversation, or it was reminded before.
 */
export async function remind(
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat,
): Promise<CommandDone | undefined> {
  const view = await viewOfStep(worker.ports, held);
  const isOpen = openWork(shellWord(held.plan), view).length > 0;
  const isTold = await hasNews(worker, held);
  if (!isOpen && !isTold) return undefined;
  const last = await lastReminded(worker, held, isTold);
  const command = last && worker.workflow.commands[last.position];
  const agent = command && agentsOfCommand(worker, command).find(({ name }) => name === last.agent);
  const conversation = last?.outcome === "finished" ? conversationOf(last, agent, true) : undefined;
  if (last === undefined || command === undefined || conversation === undefined) return undefined;
  const place = { iteration: last.iteration, position: last.position, specId: last.spec_id ?? undefined };
  const context = await promptContext(worker, held, place);
  return runSupervised(worker, {
    command: { ...command, name: REMINDER },
    place,
    held,
    agent,
    ...continued({ ...context, verdicts: [] }, isOpen ? "items-open" : "message"),
    conversation,
    heart,
    again: true,
  });
}

/** The last work on the step, unless the agent was reminded of it since it was last judged. */
async function lastReminded(
  worker: Worker,
  held: ClaimedStep,
  isTold: boolean,
): Promise<CheckpointRow | undefined> {
  const { ports, session } = worker;
  const database = await ports.database();
  const rows = await database.read((sql) => sql.all(listCheckpoints, { session_id: session.id }));
  const judgedAt = (await verdictsOn(worker, held)).at(-1)?.recorded_at ?? "";
  const own = rows.filter(
    (row) => row.plan_path === held.plan && row.anchor === held.anchor && row.type === "implement_spec",
  );
  const reminders = own.filter(
    ({ command, started_at, outcome }) =>
      command === REMINDER && started_at > judgedAt && outcome === "finished",
  );
  return isTold || reminders.length < MOST_REMINDERS ? own.at(-1) : undefined;
}

/** Whether a person has sent something that no agent of the step has got. */
async function hasNews({ ports }: Worker, { plan: plan_path, anchor }: ClaimedStep): Promise<boolean> {
  const database = await ports.database();
  const messages = await database.read((sql) => messagesTo(sql, { plan_path, anchor }));
  return messages.some(({ isDelivered }) => !isDelivered);
}
