import type { Instant, LeaseClock } from "../domain/index.ts";
import type { Ports, Sql } from "../platform/ports/index.ts";
import { isStoppedRunner } from "./stopped-runner.ts";

export const leaseClockOf = (ports: Ports, sql: Sql): LeaseClock => leaseClockAt(ports, sql.now);

export const leaseClockAt = (ports: Ports, now: Instant): LeaseClock => ({
  hostId: ports.machine.hostId,
  bootId: ports.machine.bootId,
  uptimeMs: ports.clock.uptimeMs(),
  now,
  isStopped: (session) => isStoppedRunner(ports, session),
});
