import { Failure } from "../domain/errors.ts";
import { fromInstant, toInstant } from "../domain/instant.ts";
import type { Sql } from "../ports/database.ts";
import type { Ports } from "../ports/index.ts";
import { findRequest } from "../store/statements/find-request.ts";
import { forgetRequests } from "../store/statements/forget-requests.ts";
import { insertRequest } from "../store/statements/insert-request.ts";
import type { Repeatable } from "./caller.ts";
import { followAfter } from "./follow.ts";

/** What was asked: the verb, and everything that makes two calls of it different. */
export interface Call extends Repeatable {
  readonly verb: string;
  /** The plan's key first. */
  readonly subject: readonly (string | number | boolean | null | undefined)[];
}

const REQUESTS_KEPT_MS = 7 * 24 * 3600 * 1000;

/**
 * Runs a verb's change as one transaction.
 *
 * With a request id the answer is stored by the same transaction. A caller that was killed, or cut off, before it
 * heard the answer asks again under the same id and hears it then; the change itself happens once.
 */
export async function transact<T>(ports: Ports, call: Call, work: (sql: Sql) => Promise<T>): Promise<T> {
  const database = await ports.database();
  const answer = await database.write(async (sql) => {
    if (call.requestId === undefined) return work(sql);
    const subject = JSON.stringify(call.subject);
    const before = await sql.get(findRequest, { request_id: call.requestId });
    if (before) {
      if (before.verb === call.verb && before.subject === subject) return JSON.parse(before.answer) as T;
      throw new Failure(
        "request/reused",
        `The request id ${call.requestId} was used for another call (${before.verb}).`,
        {
          request_id: call.requestId,
          verb: before.verb,
        },
      );
    }
    const answer = await work(sql);
    await sql.run(forgetRequests, { before: toInstant(fromInstant(sql.now) - REQUESTS_KEPT_MS) });
    await sql.run(insertRequest, {
      request_id: call.requestId,
      verb: call.verb,
      subject,
      answer: JSON.stringify(answer),
      now: sql.now,
    });
    return answer;
  });
  if (!SILENT.has(call.verb)) await followAfter(ports, String(call.subject[0]));
  return answer;
}

/** Verbs that change no status leave no trace in a plan's files. */
const SILENT: ReadonlySet<string> = new Set(["heartbeat", "artifact", "update"]);
