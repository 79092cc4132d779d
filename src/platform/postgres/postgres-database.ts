import type { PoolClient } from "pg";
import { Failure, type Instant } from "../../domain/index.ts";
import {
  type Beginning,
  type Database,
  NOW,
  type Params,
  type Sql,
  type Statement,
  type Value,
} from "../ports/index.ts";
import { CLOCK, compile, labelOf } from "./compile.ts";
import { gather, type Server, withClient } from "./connection.ts";
import { postgresFailure, isLost, isStale } from "./failures.ts";
import { factsOf } from "./facts.ts";
import { postgresMovedMarker } from "./moved-marker.ts";
import { type Patience, retryTransient } from "./retry-transient.ts";
import { type Unanswered, wasCommitted } from "./was-committed.ts";

export interface PostgresOptions {
  readonly server: Server;
  /** The schema of this repository, quoted. */
  readonly schema: string;
  readonly random?: () => number;
}

type Work<T> = (sql: Sql) => Promise<T>;

interface Place {
  readonly server: Server;
  readonly schema: string;
  /** Whether connections remember statements by the names we gave them, as far as we have seen. */
  names: boolean;
}

/**
 * One repository's part of a shared server.
 *
 * Each transaction sets everything it depends on (schema, timeouts) for itself, so it works through a pooler that
 * hands out another connection every time. `read committed` with explicit row locks: the statements say which rows
 * must stand still.
 */
export function postgresDatabase({ server, schema, random = Math.random }: PostgresOptions): Database {
  const { where } = server;
  const place: Place = { server, schema, names: true };
  const patience: Patience = { awayMs: 30_000, wasThere: true, random };
  const tried = async <T>(attempt: () => Promise<T>): Promise<T> => {
    try {
      return await retryTransient(async () => {
        try {
          return await attempt();
        } catch (error) {
          if (isStale(error)) place.names = false;
          throw error;
        }
      }, patience);
    } catch (error) {
      throw postgresFailure(error, server);
    }
  };
  const read = <T>(work: Work<T>): Promise<T> => tried(() => readOnce(place, work));
  return {
    engine: "postgres",
    where,
    read,
    write: (work, how) => tried(() => writeOnce(place, work, how)),
    check: async () => [],
    facts: () => read((sql) => factsOf(sql, where)),
    movedAway: postgresMovedMarker(server, schema),
    close: () => server.end(),
  };
}

/** All of a read sees one moment. No caller waits for its end: the rows are here, and the next use comes behind it. */
async function readOnce<T>(place: Place, work: Work<T>): Promise<T> {
  return withClient(place.server, async (client) => {
    try {
      const beginning = begins(client, place, "read");
      await beginning.answer;
      return await work(sqlOn(client, place, beginning));
    } finally {
      client.query("commit").catch(() => undefined);
    }
  });
}

async function writeOnce<T>(place: Place, work: Work<T>, { atOnce = false }: Beginning = {}): Promise<T> {
  const { server, schema } = place;
  let result: T;
  let unanswered: Unanswered | undefined;
  try {
    return await withClient(server, async (client) => {
      const sent: Sent = { answers: [], failure: undefined, line: undefined };
      const beginning = begins(client, place, "write");
      beginning.answer.catch((error: unknown) => (sent.failure ??= error));
      let begun: Begun;
      try {
        if (!atOnce) await beginning.answer;
        result = await work(sqlOn(client, place, beginning, sent));
        begun = await beginning.answer;
      } catch (error) {
        // After the beginning, or a write without a waiting caller, has failed, every later one reports only that.
        const first = sent.failure ?? error;
        if (!isLost(first)) await client.query("rollback");
        throw first;
      }
      unanswered = { transaction: begun.transaction, line: sent.line };
      await commit(client, sent);
      return result;
    });
  } catch (error) {
    if (!unanswered || !isLost(error) || !(await wasCommitted(server, schema, unanswered))) throw error;
    return result!;
  }
}

/** Writes without a waiting caller: the commit goes out behind them, and their failures come before its own. */
interface Sent {
  readonly answers: Promise<unknown>[];
  /** The first of them. */
  failure: unknown;
  /** The last line of the journal among them. */
  line: Params | undefined;
}

/** A transaction in which a statement failed is rolled back by `commit`, and the server calls that a success. */
async function commit(client: PoolClient, { answers }: Sent): Promise<void> {
  gather(client);
  const committed = client.query("commit");
  await Promise.all([...answers, committed]);
  if ((await committed).command !== "COMMIT")
    throw new Failure("internal/bug", "A failed statement was passed over, and the server undid all of it.");
}

interface Begun {
  readonly now: Instant;
  /** The server's name for the transaction: by it the server can be asked later whether it is over. */
  readonly transaction: string;
  /** Whether statements may have names in it. */
  readonly named: boolean;
}

const BEGIN = {
  read: "begin isolation level repeatable read read only",
  write: "begin isolation level read committed",
} as const;

/** The wait for a lock counts as part of the statement that waits. All of it ends with the transaction. */
const SETTLE = `select set_config('search_path', $1, true),
       set_config('statement_timeout', '30s', true),
       set_config('idle_in_transaction_session_timeout', '60s', true),
       ${CLOCK} as now,
       pg_backend_pid() as backend`;

/** An acknowledged write must be on the disk, even where the server's settings turn that off for speed. */
const SETTLE_WRITE = `${SETTLE},
       pg_current_xact_id()::text as transaction,
       case when current_setting('synchronous_commit') = 'off'
            then set_config('synchronous_commit', 'on', true) end as durable`;

const SETTLES = {
  read: { name: labelOf(SETTLE), text: SETTLE },
  write: { name: labelOf(SETTLE_WRITE), text: SETTLE_WRITE },
} as const;

/** Connections whose last transaction was answered by the process that greeted us: nothing stands between. */
const direct = new WeakSet<PoolClient>();

/**
 * The server plans a statement that has a name once per connection, which halves what it costs. A name must not go
 * through a pooler, where the next transaction meets another connection. Nothing stands between when the process that
 * answers is the one that greeted us.
 */
async function begin(client: PoolClient, { schema, names }: Place, access: "read" | "write"): Promise<Begun> {
  const { name, text } = SETTLES[access];
  const named = names && direct.has(client);
  gather(client);
  const [, { rows }] = await Promise.all([
    client.query(BEGIN[access]),
    client.query<Begun & { readonly backend: number }>({
      ...(named ? { name } : {}),
      text,
      values: [schema],
    }),
  ]);
  const begun = rows[0]!;
  const { processID } = client as { readonly processID?: number | null };
  if (processID === begun.backend) direct.add(client);
  else direct.delete(client);
  return { ...begun, named: names && direct.has(client) };
}

interface Begins {
  readonly answer: Promise<Begun>;
  /** Once it is there. */
  begun: Begun | undefined;
}

function begins(client: PoolClient, place: Place, access: "read" | "write"): Begins {
  const beginning: Begins = {
    begun: undefined,
    answer: begin(client, place, access).then((begun) => (beginning.begun = begun)),
  };
  return beginning;
}

function sqlOn(client: PoolClient, { names: mayName }: Place, beginning: Begins, sent?: Sent): Sql {
  const query = <P extends Params>(statement: Statement<P, unknown>, params: P) => {
    const { begun } = beginning;
    const isNow = params["now"] === NOW;
    const { text, names, label } = compile(
      statement as unknown as Statement<never, unknown>,
      isNow && !begun ? "asked" : "given",
    );
    const given: Params = isNow && begun ? { ...params, now: begun.now } : params;
    const values = names.map((name): Value => given[name] ?? null);
    const named = begun?.named ?? (mayName && direct.has(client));
    if (statement.isJournalLine && sent) sent.line = params;
    gather(client);
    return client.query(named ? { name: label, text, values } : { text, values });
  };
  /** Answers may come in together: a caller that has one knows the instant too, so that all that follows has the same. */
  const answered = async <P extends Params>(statement: Statement<P, unknown>, params: P) => {
    const answer = await query(statement, params);
    await beginning.answer;
    return answer;
  };
  return {
    get now() {
      if (beginning.begun) return beginning.begun.now;
      throw new Failure(
        "internal/bug",
        "The instant of a transaction was asked for before its first answer.",
      );
    },
    all: async <P extends Params, R>(statement: Statement<P, R>, params: P) =>
      (await answered(statement, params)).rows as readonly R[],
    get: async <P extends Params, R>(statement: Statement<P, R>, params: P) =>
      (await answered(statement, params)).rows[0] as R | undefined,
    run: async (statement, params) => (await answered(statement, params)).rowCount ?? 0,
    send(statement, params) {
      const answer = query(statement, params);
      // Noticed at the commit, or by the next call.
      answer.catch((error: unknown) => {
        if (sent) sent.failure ??= error;
      });
      sent?.answers.push(answer);
    },
  };
}
