import { orNothing } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { type JournalEntry, journal } from "./journal.ts";

/**
 * Writes a line of the journal where there is one.
 *
 * Snapshots must work in a repository without plans, and most of all in one whose database is in trouble.
 */
export async function noteIfPossible(ports: Ports, entry: JournalEntry): Promise<void> {
  const database = await ports.database().catch(orNothing);
  await database?.write((sql) => journal(sql, entry)).catch(orNothing);
}
