import type { Moment } from "../domain/claim.ts";
import type { Instant } from "../domain/instant.ts";
import type { Sql } from "../platform/ports/database.ts";
import type { Ports } from "../platform/ports/index.ts";
import { isStoppedRunner } from "./stopped-runner.ts";

export const momentOf = (ports: Ports, sql: Sql): Moment => momentAt(ports, sql.now);

export const momentAt = (ports: Ports, now: Instant): Moment => ({
  hostId: ports.machine.hostId,
  bootId: ports.machine.bootId,
  uptimeMs: ports.clock.uptimeMs(),
  now,
  isStopped: (session) => isStoppedRunner(ports, session),
});
