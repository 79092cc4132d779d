import { eventLoopDelay } from "../event-loop-delay.ts";
import type { Route } from "../route.ts";

const turns = eventLoopDelay();
const tenths = (ms: number): number => Math.round(ms * 10) / 10;

export const serverRoute: Route = {
  method: "GET",
  path: "/api/server",
  command: "ui server",
  about:
    "The server's health: the longest turn of its loop since this was last asked (by the processor's count, and by the clock without waiting for the processor), memory, open streams",
  takes: [],
  async answer({ feed, version }) {
    const { busiestMs, longestMs } = turns.read();
    return {
      version,
      busiest_turn_ms: tenths(busiestMs),
      longest_turn_ms: tenths(longestMs),
      resident_bytes: process.memoryUsage.rss(),
      streams: feed.listeners(),
    };
  },
};
