import { readFileSync } from "node:fs";
import type { Clock } from "../ports/clock.ts";

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  uptimeMs: () => Math.round((kernelUptime() ?? process.getBuiltinModule("node:os").uptime()) * 1000),
};

/** Where Node looks too. Loading `node:os` for one number costs every command more than the number does. */
function kernelUptime(): number | undefined {
  try {
    return Number.parseFloat(readFileSync("/proc/uptime", "latin1")) || undefined;
  } catch {
    return undefined;
  }
}
