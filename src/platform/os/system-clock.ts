import { readFileSync } from "node:fs";
import type { Clock } from "../ports/index.ts";

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  uptimeMs: () => Math.round(uptimeMs()),
};

let hasLooked = false;

/** What was read last, and what the other clocks said then. */
let seen: { readonly uptimeMs: number; readonly runningMs: number; readonly aheadMs: number } | undefined;

/**
 * Reading it costs as much as a statement, so between two looks Node's own clock counts on. That one stands still while
 * the machine sleeps, uptime does not; but then the wall clock runs ahead of it, and it is read anew.
 */
function uptimeMs(): number {
  // Most processes ask once.
  if (!hasLooked) {
    hasLooked = true;
    return look() * 1000;
  }
  const [seconds, nanoseconds] = process.hrtime();
  const runningMs = seconds * 1000 + nanoseconds / 1e6;
  const aheadMs = Date.now() - runningMs;
  if (!seen || Math.abs(aheadMs - seen.aheadMs) > UNNOTICED_MS)
    seen = { uptimeMs: look() * 1000, runningMs, aheadMs };
  return seen.uptimeMs + runningMs - seen.runningMs;
}

const UNNOTICED_MS = 500;

/** Where Node looks too; loading `node:os` costs a command more than the one number it needs. */
function look(): number {
  try {
    const read = Number.parseFloat(readFileSync("/proc/uptime", "utf8"));
    if (read > 0) return read;
  } catch {
    // Not Linux.
  }
  return process.getBuiltinModule("node:os").uptime();
}
