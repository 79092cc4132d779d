import { Failure } from "../domain/index.ts";
import { rehearse } from "../journal/index.ts";
import type { Database, Ports, Sql } from "../platform/ports/index.ts";
import { deadSessions, recordEnds } from "./dead-sessions.ts";
import { type LeftOvers, stopLeftOvers } from "./take-over.ts";

/** What a verb needs besides the recorded ends of dead sessions. */
export interface Entry {
  /** Where nothing that a dead session left running may go on writing. */
  readonly stop?: readonly LeftOvers[] | undefined;
  /** Finishes commits whose owners are gone; the commits room offers it. */
  readonly finish?: ((ports: Ports) => Promise<unknown>) | undefined;
}

/** What a verb came upon. */
export interface Entered {
  /** Sessions whose end was recorded now. */
  readonly ended: readonly string[];
  /** Processes that were stopped. */
  readonly stopped: readonly number[];
}

/**
 * What every verb does that decides by who is alive, once and before it decides.
 *
 * No process can record its own SIGKILL, so the next verb that writes does. The order matters: only the agents of sessions
 * that are known to be over are stopped, and only their commits are finished.
 */
export async function enter(ports: Ports, { stop = [], finish }: Entry = {}): Promise<Entered> {
  const database = await ports.database();
  const dead = await database.read((sql) => deadSessions(ports, sql));
  const ended = dead.length === 0 ? [] : await database.write((sql) => recordEnds(sql, dead));
  const stopped: number[] = [];
  for (const where of stop) stopped.push(...(await stopLeftOvers(ports, where)));
  await finish?.(ports);
  return { ended, stopped };
}

/**
 * Ports for verbs that only read: what they read is what the next writing verb will find after `enter`, and nothing is
 * recorded.
 */
export function asEntered(ports: Ports): Ports {
  return {
    ...ports,
    async database(options) {
      const database = await ports.database(options);
      return { ...database, read: (work) => readAsEntered(ports, database, work) };
    },
  };
}

async function readAsEntered<T>(
  ports: Ports,
  database: Database,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  const unlessDead = async (sql: Sql) =>
    (await deadSessions(ports, sql)).length > 0 ? undefined : { answer: await work(sql) };
  const read = await database.read(unlessDead);
  if (read) return read.answer;
  try {
    // Nearly always no session is dead, and reading takes no lock. Else the ends are recorded, read by, and taken back.
    return await rehearse(database.write, async (sql) => {
      await recordEnds(sql, await deadSessions(ports, sql));
      return work(sql);
    });
  } catch (error) {
    // Where nothing can be written, no end is recorded either.
    if (error instanceof Failure && error.problem === "store/read-only") return database.read(work);
    throw error;
  }
}
