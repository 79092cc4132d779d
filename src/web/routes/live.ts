import { Failure } from "../../domain/index.ts";
import { SAFE_HEADERS } from "../answer.ts";
import type { Message } from "../feed.ts";
import type { Route } from "../route.ts";
import { plainJson } from "../../journal/index.ts";

const MOST_STREAMS = 24;
const STILL_HERE_MS = 5000;
/** A page that does not read is cut off; it comes back and says what it received last. */
const MOST_WAITING_BYTES = 1024 * 1024;

export const liveRoute: Route = {
  method: "GET",
  path: "/api/live",
  command: "ui live",
  about: "Server-sent events: journal, file, job, reset. Continues after Last-Event-ID",
  takes: ["after"],
  async answer({ feed }, { query, response, lastEventId }) {
    if (feed.listeners() >= MOST_STREAMS)
      throw new Failure("ui/too-many", `${MOST_STREAMS} pages are listening already.`, {});
    const write = (text: string): void => {
      if (response.destroyed) return;
      response.write(text);
      if (response.writableLength > MOST_WAITING_BYTES) response.destroy();
    };
    response.writeHead(200, {
      ...SAFE_HEADERS,
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-store",
    });
    response.flushHeaders();
    const unlisten = await feed
      .listen(lastEventId ?? query.number("after"), (message) => write(textOf(message)))
      .catch((error: unknown) => {
        // The page tries again; an answer that never begins would keep it waiting.
        response.destroy();
        throw error;
      });
    // From here on nothing is missed: a page that reads something after this has it, or will receive what is newer.
    write(": listening\n\n");
    // A page that receives nothing for longer knows that nothing is sent, rather than that nothing happens.
    const timer = setInterval(() => {
      if (feed.isWell()) write(": still here\n\n");
    }, STILL_HERE_MS);
    const end = (): void => {
      clearInterval(timer);
      unlisten();
    };
    if (response.destroyed) end();
    else response.on("close", end);
    return undefined;
  },
};

const textOf = ({ kind, id, data }: Message): string =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${kind}\ndata: ${plainJson(data)}\n\n`;
