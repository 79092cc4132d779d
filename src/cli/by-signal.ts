import type { StopSignal } from "../platform/ports/index.ts";

/** The exit code of what a signal ended, as shells have it: 128 and the signal's number. */
export const BY_SIGNAL: Readonly<Record<StopSignal, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };
