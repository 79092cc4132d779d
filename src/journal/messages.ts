import type { Instant } from "../domain/index.ts";
import type { Sql } from "../platform/ports/index.ts";
import { journal } from "./journal.ts";
import { listNamedEvents } from "./sql/list-named-events.ts";
import { detailIn } from "./stored-json.ts";

/** What a person has sent to the agent of a step. */
export interface SentMessage {
  /** From 1, within the step. */
  readonly number: number;
  readonly at: Instant;
  readonly text: string;
  readonly isDelivered: boolean;
}

/** No person sends more to one step; older ones are in the journal. */
const MOST = 200;

type StepKey = { readonly plan_path: string; readonly anchor: string };

/** The messages to a step, oldest first. The journal has them, and what became of each. */
export async function messagesTo(sql: Sql, step: StepKey): Promise<readonly SentMessage[]> {
  const sent = await sql.all(listNamedEvents, { ...step, event: SENT, most: MOST });
  if (sent.length === 0) return [];
  const done = await sql.all(listNamedEvents, { ...step, event: DELIVERED, most: MOST });
  const delivered = new Set(done.map(({ detail }) => Number(detailIn(detail)["message"])));
  return sent.toReversed().map(({ at, detail }) => {
    const { message, text } = detailIn(detail);
    const number = Number(message);
    return { number, at, text: String(text), isDelivered: delivered.has(number) };
  });
}

const SENT = "message-sent";
const DELIVERED = "message-delivered";

/** Takes a message for a step, in a transaction of the caller's that has locked the step; the answer is its number. */
export async function sendMessage(sql: Sql, { plan_path, anchor }: StepKey, text: string): Promise<number> {
  const number = ((await messagesTo(sql, { plan_path, anchor })).at(-1)?.number ?? 0) + 1;
  await journal(sql, { event: SENT, plan: plan_path, anchor, detail: { message: number, text } });
  return number;
}

interface Delivery {
  readonly numbers: readonly number[];
  readonly session: string;
  readonly claim: number;
  /** The command whose agent got them. */
  readonly checkpoint: number;
}

/** Notes what an agent has got, each message once; in a transaction of the caller's that has locked the step. */
export async function noteDelivered(
  sql: Sql,
  { plan_path, anchor }: StepKey,
  delivery: Delivery,
): Promise<void> {
  const { numbers, session, claim, checkpoint } = delivery;
  const open = (await messagesTo(sql, { plan_path, anchor })).filter(({ isDelivered }) => !isDelivered);
  for (const { number } of open.filter((one) => numbers.includes(one.number)))
    await journal(sql, {
      event: DELIVERED,
      plan: plan_path,
      anchor,
      claim,
      session,
      detail: { message: number, checkpoint },
    });
}
