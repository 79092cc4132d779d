import { recall, remember, type VerbCall } from "../journal/requests.ts";
import type { Sql } from "../platform/ports/database.ts";
import type { Ports } from "../platform/ports/index.ts";
import { writeBackOrNotice } from "./write-back.ts";
import { carriesStatus } from "./carries-status.ts";

/**
 * Runs a verb's change as one transaction.
 *
 * With a request id the answer is stored by the same transaction. A caller that was killed, or cut off, before it
 * heard the answer asks again under the same id and hears it then; the change itself happens once.
 */
export async function transact<T>(ports: Ports, call: VerbCall, work: (sql: Sql) => Promise<T>): Promise<T> {
  const database = await ports.database();
  const key = String(call.subject[0]);
  const { answer, isToFollow } = await database.write(async (sql) => {
    const before = await recall(sql, call);
    const answer = before ? (before.answer as T) : await work(sql);
    if (!before) await remember(sql, call, answer);
    return { answer, isToFollow: !SILENT.has(call.verb) && (await carriesStatus(sql, key)) };
  }, call);
  if (isToFollow) await writeBackOrNotice(ports, key);
  return answer;
}

/** Verbs that change no status leave no trace in a plan's files. */
const SILENT: ReadonlySet<string> = new Set(["heartbeat", "artifact", "update"]);
