import fc from "fast-check";
import type { Holding, LeaseClock } from "../../src/domain/claim.ts";
import { toInstant } from "../../src/domain/instant.ts";

const small = fc.constantFrom("x", "y");
const instant = fc.constantFrom(0, 1, 1000, 2000).map((ms) => toInstant(ms));

/** Leases and moments out of so few values that every relation between the two comes up. */
export const leases: fc.Arbitrary<Holding> = fc.record({
  lease_expires_at: fc.option(instant),
  lease_boot_id: fc.option(small),
  lease_uptime_ms: fc.option(fc.nat(3)),
  claimed_host: fc.option(small),
  session_id: fc.option(fc.constantFrom("running", "ended", "unknown")),
  claimed_by: fc.constant("/w"),
  worktree_id: fc.constant("main"),
});

export const moments: fc.Arbitrary<LeaseClock> = fc.record({
  hostId: small,
  bootId: small,
  uptimeMs: fc.nat(3),
  now: instant,
});
