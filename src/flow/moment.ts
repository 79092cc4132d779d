import type { Moment } from "../domain/claim.ts";
import type { Instant } from "../domain/instant.ts";
import type { Sql } from "../ports/database.ts";
import type { Ports } from "../ports/index.ts";

export const momentOf = (ports: Ports, sql: Sql): Moment => momentAt(ports, sql.now);

export const momentAt = ({ machine, clock }: Ports, now: Instant): Moment => ({
  hostId: machine.hostId,
  bootId: machine.bootId,
  uptimeMs: clock.uptimeMs(),
  now,
});
