import { fromInstant, type Instant, toInstant } from "./instant.ts";

/** Two hours, as in the format Pawl grew out of; a supervised session does not depend on it. */
export const DEFAULT_LEASE_SECONDS = 7200;

/** Longer than any clock on one machine is trusted. */
export const MAX_LEASE_SECONDS = 366 * 24 * 3600;

/** What a claim says about its own end. */
export interface Lease {
  readonly lease_expires_at: Instant | null;
  readonly lease_boot_id: string | null;
  readonly lease_uptime_ms: number | null;
  readonly claimed_host: string | null;
}

/** Where and when a lease is judged. */
export interface LeaseClock {
  readonly hostId: string;
  readonly bootId: string;
  readonly uptimeMs: number;
  readonly now: Instant;
  /** Whether the process of a session is stopped, as by Ctrl-Z. Only for telling: it is no reason to take anything. */
  readonly isStopped?: (session: RunningProcess) => boolean;
  /** Whether a worktree of this machine is gone, wherever it was moved. */
  readonly isMissing?: (worktree: ClaimedWorktree) => boolean;
}

/** The worktree that a claim was made from. */
export interface ClaimedWorktree {
  readonly claimed_by: string | null;
  readonly worktree_id: string | null;
}

/** The process that a session says it runs in. */
export interface RunningProcess {
  readonly status: string;
  readonly pid: number;
  readonly process_started_at: string;
  readonly boot_id: string;
  readonly host_id: string;
}

/**
 * Whether a lease is over.
 *
 * The wall clock is asked last. A claim of this boot is judged by uptime, which no one can set; a claim of an earlier
 * boot of this machine has lost its owner with that boot; only for another machine does the database's clock decide.
 * The statement that picks a reclaimable step says the same in SQL.
 */
export function leaseIsOver(lease: Lease, moment: LeaseClock): boolean {
  if (lease.lease_boot_id === moment.bootId) return (lease.lease_uptime_ms ?? 0) <= moment.uptimeMs;
  if (lease.lease_boot_id !== null && lease.claimed_host === moment.hostId) return true;
  return (lease.lease_expires_at ?? "") <= moment.now;
}

/** A claim, and the session that made it if one did. */
export interface Holding extends Lease, ClaimedWorktree {
  readonly session_id: string | null;
}

/**
 * Whether the owner of a held step is gone for good.
 *
 * A supervised owner lives as long as its session, however old its lease; of a session on another machine only the lease
 * can tell, and so it is for a claim without any. `firstReclaimableStep` says the same in SQL. A claim made by hand from a
 * worktree of this machine that is gone has no owner either: only the disk knows that, so `abandonedStep` asks it.
 */
export function isOwnerGone(
  claim: Holding,
  session: { readonly status: string } | undefined,
  moment: LeaseClock,
): boolean {
  if (claim.session_id !== null) {
    if (session?.status !== "in_progress") return true;
    if (claim.claimed_host === moment.hostId) return false;
  }
  return leaseIsOver(claim, moment) || isWorktreeMissing(claim, moment);
}

/** Whether a claim was made by hand in a worktree of this machine that is gone. */
export const isWorktreeMissing = (claim: Holding, moment: LeaseClock): boolean =>
  claim.session_id === null &&
  claim.claimed_by !== null &&
  claim.claimed_host === moment.hostId &&
  (moment.isMissing?.(claim) ?? false);

/** The machine that holds a claim, where that is another one than this. */
export const otherHost = ({ claimed_host }: Lease, { hostId }: LeaseClock): string | null =>
  claimed_host === hostId ? null : claimed_host;

/** When people will see the lease end, by the clock they have now. */
export function leaseEnd(lease: Lease, moment: LeaseClock): Instant | null {
  if (lease.lease_boot_id !== moment.bootId || lease.lease_uptime_ms === null) return lease.lease_expires_at;
  return toInstant(fromInstant(moment.now) + lease.lease_uptime_ms - moment.uptimeMs);
}

/** The values a new or renewed lease is written with. */
export function grantLease(
  seconds: number,
  moment: LeaseClock,
): { lease_expires_at: Instant; lease_uptime_ms: number } {
  return {
    lease_expires_at: toInstant(fromInstant(moment.now) + seconds * 1000),
    lease_uptime_ms: Math.round(moment.uptimeMs + seconds * 1000),
  };
}
