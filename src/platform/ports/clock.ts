/**
 * Time, in two kinds.
 *
 * The wall clock can be set back or forth by any user or program; it is for people and for other machines. Uptime only runs
 * forward while the machine is on; it is what leases on one machine are judged by.
 */
export interface Clock {
  readonly wallMs: () => number;
  readonly uptimeMs: () => number;
}

/** Which machine this is, and which boot of it. */
export interface Machine {
  readonly hostId: string;
  readonly bootId: string;
}
