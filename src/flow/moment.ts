import type { Moment } from "../domain/claim.ts";
import type { Sql } from "../ports/database.ts";
import type { Ports } from "../ports/index.ts";

export const momentOf = ({ machine, clock }: Ports, sql: Sql): Moment => ({
  hostId: machine.hostId,
  bootId: machine.bootId,
  uptimeMs: clock.uptimeMs(),
  now: sql.now,
});
