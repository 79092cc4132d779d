import { turnWatch } from "../turn-watch.ts";
import type { Route } from "../route.ts";

const turns = turnWatch();
const tenths = (ms: number): number => Math.round(ms * 10) / 10;

export const server: Route = {
  method: "GET",
  path: "/api/server",
  command: "ui server",
  about:
    "How the server fares: the longest turn of its loop since this was last asked (without and with what other programs took), memory, open streams",
  takes: [],
  async answer({ feed, version }) {
    const { longestMs, longestByClockMs } = turns.read();
    return {
      version,
      longest_turn_ms: tenths(longestMs),
      longest_by_clock_ms: tenths(longestByClockMs),
      resident_bytes: process.memoryUsage.rss(),
      streams: feed.listeners(),
    };
  },
};
