import { recall, remember, type VerbCall } from "../journal/index.ts";
import type { Ports, Sql } from "../platform/ports/index.ts";
import { writeBackOrNotice } from "./write-back.ts";
import { carriesStatus } from "./carries-status.ts";

/** What a transaction came to: an answer, or what must happen before it can be made. */
export type TransactOutcome<T, First> = { readonly answer: T } | { readonly first: First };

/**
 * Runs a verb's change as one transaction.
 *
 * With a request id the answer is stored by the same transaction. A caller that was killed, or cut off, before it
 * received the answer asks again under the same id and receives it then; the change itself happens once.
 */
export async function transact<T>(ports: Ports, call: VerbCall, work: (sql: Sql) => Promise<T>): Promise<T> {
  const outcome = await transactUnless<T, never>(ports, call, async (sql) => ({ answer: await work(sql) }));
  return (outcome as { readonly answer: T }).answer;
}

/**
 * The same for work that may find out, before its first write, that something else must happen first. That is no answer:
 * it is not stored, and no file is written for it.
 */
export async function transactUnless<T, First>(
  ports: Ports,
  call: VerbCall,
  work: (sql: Sql) => Promise<TransactOutcome<T, First>>,
): Promise<TransactOutcome<T, First>> {
  const database = await ports.database();
  const key = String(call.subject[0]);
  const { outcome, isToWriteBack } = await database.write(async (sql) => {
    const before = await recall(sql, call);
    const outcome: TransactOutcome<T, First> = before ? { answer: before.answer as T } : await work(sql);
    if ("first" in outcome) return { outcome, isToWriteBack: false };
    if (!before) await remember(sql, call, outcome.answer);
    return { outcome, isToWriteBack: !SILENT.has(call.verb) && (await carriesStatus(sql, key)) };
  }, call);
  if (isToWriteBack) await writeBackOrNotice(ports, key);
  return outcome;
}

/** Verbs that change no status leave no trace in a plan's files. */
const SILENT: ReadonlySet<string> = new Set(["heartbeat", "artifact", "update", "tell"]);
