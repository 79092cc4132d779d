import { Failure } from "../../domain/errors.ts";
import type { Connection } from "./driver.ts";

/** 0 for an empty file. A database of somebody else is refused. */
export function schemaVersion(connection: Connection): number {
  const tables = connection.prepare("select count(*) as n from sqlite_master").get()?.["n"];
  if (tables === 0) return 0;
  const ours = connection
    .prepare(
      "select count(*) as n from sqlite_master where type = 'table' and name in ('schema_version', 'plans', 'steps')",
    )
    .get()?.["n"];
  if (ours !== 3) {
    throw new Failure("store/open-failed", "The file is a database, but not one of Pawl's.", {
      path: connection.location() ?? "",
    });
  }
  return Number(connection.prepare("select max(version) as v from schema_version").get()?.["v"] ?? 0);
}
