import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Route } from "../route.ts";

const delay = monitorEventLoopDelay({ resolution: 5 });

/** For whoever wonders why the page is slow: how long others had to wait since this was last asked. */
export const server: Route = {
  method: "GET",
  path: "/api/server",
  command: "ui server",
  about: "How the server fares: the longest wait since this was last asked, memory, open streams",
  takes: [],
  async answer({ feed, version }) {
    delay.enable();
    const longest = delay.count > 0 ? delay.max / 1e6 : 0;
    delay.reset();
    return {
      version,
      longest_wait_ms: Math.round(longest * 10) / 10,
      resident_bytes: process.memoryUsage.rss(),
      streams: feed.listeners(),
    };
  },
};
