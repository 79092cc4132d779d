import { Failure, fromInstant, toInstant } from "../domain/index.ts";
import type { Sql } from "../platform/ports/index.ts";
import { findRequest } from "./sql/find-request.ts";
import { forgetRequests, KEPT_REQUESTS, MOST_FORGOTTEN } from "./sql/forget-requests.ts";
import { insertRequest } from "./sql/insert-request.ts";

/** Repeating a call under the same id gives the answer of the first, not a second effect. */
export interface Repeatable {
  readonly requestId?: string | undefined;
}

/** What was asked: the verb, and everything that makes two calls of it different. */
export interface VerbCall extends Repeatable {
  readonly verb: string;
  /** The plan's key first. */
  readonly subject: readonly (string | number | boolean | null | undefined)[];
  /** Its first question names no instant but `NOW`. */
  readonly atOnce?: boolean | undefined;
}

/** The answer that a call was given before under its request id; undefined when it was never answered, or has none. */
export async function recall(sql: Sql, call: VerbCall): Promise<{ readonly answer: unknown } | undefined> {
  if (call.requestId === undefined) return undefined;
  if (call.requestId.trim() === "") throw new Failure("usage/wrong", "The request id is empty.", {});
  const before = await sql.get(findRequest, { request_id: call.requestId });
  if (!before) return undefined;
  if (before.verb === call.verb && before.subject === JSON.stringify(call.subject))
    return { answer: JSON.parse(before.answer) as unknown };
  throw new Failure(
    "request/reused",
    `The request id ${call.requestId} was used for another call (${before.verb}).`,
    {
      request_id: call.requestId,
      verb: before.verb,
    },
  );
}

/** Stores an answer under the request id of its call, in the transaction that makes it true. */
export async function remember(sql: Sql, call: VerbCall, answer: unknown): Promise<void> {
  if (call.requestId === undefined) return;
  await sql.run(insertRequest, {
    request_id: call.requestId,
    verb: call.verb,
    subject: JSON.stringify(call.subject),
    answer: JSON.stringify(answer),
    now: sql.now,
  });
  // Plans worked without sessions have no other occasion; claim is the least frequent of the repeatable verbs.
  if (call.verb === "claim") await forgetOldRequests(sql);
}

/** No caller repeats a call after this long. */
const REQUESTS_KEPT_MS = 7 * 24 * 3600 * 1000;

/** Deletes a bounded number of answers that no caller will ask for again. */
export async function forgetOldRequests(sql: Sql): Promise<void> {
  const before = toInstant(fromInstant(sql.now) - REQUESTS_KEPT_MS);
  await sql.run(forgetRequests, { before, kept: KEPT_REQUESTS, most: MOST_FORGOTTEN });
}
