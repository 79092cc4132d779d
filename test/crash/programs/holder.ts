import { createInterface } from "node:readline";
import { Failure } from "../../../src/domain/errors.ts";
import { systemClock } from "../../../src/platform/os/system-clock.ts";
import type { Statement } from "../../../src/platform/ports/database.ts";
import { openSqlite } from "../../../src/platform/sqlite/open-sqlite.ts";
import { programInput } from "../../support/program-input.ts";

/** Keeps a database open and writes a line to its journal for each that it reads; closes it when there are no more. */

const { path } = programInput() as { path: string };
// Without the pauses between its looks.
const random = () => -0.5;
const insert: Statement<{ at: string }, never> = {
  text: "insert into events (at, event) values (:at, 'written')",
} as Statement<{ at: string }, never>;

async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "ok";
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}

const tell = (answer: object) => process.stdout.write(`${JSON.stringify(answer)}\n`);
const opening = openSqlite({ path, clock: systemClock, create: true, random });
const opened = await outcomeOf(opening);

for await (const _line of createInterface({ input: process.stdin })) {
  if (opened !== "ok") tell({ opened });
  else {
    const database = await opening;
    tell({ opened, wrote: await outcomeOf(database.write((sql) => sql.run(insert, { at: sql.now }))) });
  }
}
if (opened === "ok") await (await opening).close();
