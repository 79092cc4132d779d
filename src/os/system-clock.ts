import { uptime } from "node:os";
import type { Clock } from "../ports/clock.ts";

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  uptimeMs: () => Math.round(uptime() * 1000),
};
