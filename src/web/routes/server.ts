import type { Route } from "../route.ts";

const LOOK_MS = 10;
const FORGET_MS = 60_000;

/**
 * The longest that one turn of ours took, by the processor's own count: what other programs took meanwhile is not ours.
 *
 * It is counted only while somebody asks.
 */
function turnWatch(): { readonly read: () => number } {
  let timer: NodeJS.Timeout | undefined;
  let longest = 0;
  let last = 0;
  let asked = 0;
  const usedMs = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  const look = (): void => {
    const now = usedMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (performance.now() - asked < FORGET_MS) return;
    clearInterval(timer);
    timer = undefined;
  };
  return {
    read() {
      asked = performance.now();
      const found = timer === undefined ? 0 : longest;
      longest = 0;
      last = usedMs();
      timer ??= setInterval(look, LOOK_MS).unref();
      return found;
    },
  };
}

const turns = turnWatch();

export const server: Route = {
  method: "GET",
  path: "/api/server",
  command: "ui server",
  about: "How the server fares: its longest turn since this was last asked, memory, open streams",
  takes: [],
  async answer({ feed, version }) {
    return {
      version,
      longest_turn_ms: Math.round(turns.read() * 10) / 10,
      resident_bytes: process.memoryUsage.rss(),
      streams: feed.listeners(),
    };
  },
};
