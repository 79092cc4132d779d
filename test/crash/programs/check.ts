import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { loadDriver } from "../../../src/platform/sqlite/driver.ts";
import { checkWorld } from "../../support/check-world.ts";
import { dumpWorld, modesOf, type World } from "../../support/dump-world.ts";

/** The independent checker: a process of its own that opens databases for reading only, anew for each question. */

export interface Question {
  readonly stateDir: string;
  readonly home: string;
  /** Without it only the invariants are checked. */
  readonly dump: boolean;
}

export interface Verdict {
  readonly problems: readonly string[];
  readonly world: World | undefined;
  readonly modes: Readonly<Record<string, string>>;
}

function verdict({ stateDir, home, dump }: Question): Verdict {
  const modes = modesOf(stateDir);
  const path = join(stateDir, "state.db");
  if (!existsSync(path)) return { problems: [], world: undefined, modes };
  const connection = loadDriver().open(path, { readOnly: true, timeout: 2000 });
  try {
    // One moment for all questions: others may be writing.
    connection.exec("begin");
    const made = connection.prepare("select count(*) as n from sqlite_master").get()?.["n"] !== 0;
    // A crash before the schema was written leaves an empty file, which is sound.
    if (!made) return { problems: [], world: undefined, modes };
    const { version } = connection.prepare("select version from schema_version").get() as { version: number };
    if (version < 2) return { problems: [], world: undefined, modes };
    return { problems: checkWorld(connection), world: dump ? dumpWorld(connection, home) : undefined, modes };
  } finally {
    // Closing alone would leave it open until its statements are collected, with the file locked.
    connection.exec("rollback");
    connection.close();
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(verdict(JSON.parse(line) as Question))}\n`);
}
