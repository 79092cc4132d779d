import { Failure } from "../../domain/index.ts";
import type { Connection } from "./driver.ts";

/** The tables that every database of Pawl's has had since its first version. */
const OWN_TABLES = ["schema_version", "plans", "steps"];

/** SQL for how many of them there are, and how many there must be. */
export const COUNT_OWN_TABLES = `select count(*) from sqlite_master
           where type = 'table' and name in (${OWN_TABLES.map((name) => `'${name}'`).join(", ")})`;
export const ALL_OWN_TABLES = OWN_TABLES.length;

/** 0 for an empty file. A database of another program is refused. */
export function schemaVersion(connection: Connection): number {
  const tables = connection.prepare("select count(*) as n from sqlite_master").get()?.["n"];
  if (tables === 0) return 0;
  const ours = connection.prepare(`select (${COUNT_OWN_TABLES}) as n`).get()?.["n"];
  if (ours !== ALL_OWN_TABLES) {
    throw new Failure("store/open-failed", "The file is a database, but not one of Pawl's.", {
      path: connection.location() ?? "",
    });
  }
  return Number(connection.prepare("select max(version) as v from schema_version").get()?.["v"] ?? 0);
}
