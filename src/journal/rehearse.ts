import type { Sql } from "../platform/ports/index.ts";

/** Does everything and takes it back, so that a dry run says exactly what would happen. */
export async function rehearse<T>(
  write: (work: (sql: Sql) => Promise<never>) => Promise<never>,
  run: (sql: Sql) => Promise<T>,
): Promise<T> {
  const rehearsal: { result?: T } = {};
  const undo = new Error("rehearsal");
  try {
    await write(async (sql) => {
      rehearsal.result = await run(sql);
      throw undo;
    });
  } catch (error) {
    if (error !== undo) throw error;
  }
  return rehearsal.result!;
}
