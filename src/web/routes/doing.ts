import type { Route } from "../route.ts";

/** As many as a person follows at once; each is a look at the end of a file. */
const MOST = 16;

export const doingRoute: Route = {
  method: "GET",
  path: "/api/doing",
  command: "ui doing",
  about: "The last thing that each running agent said or did, in one line",
  takes: [],
  async answer({ pawl }) {
    const sessions = await pawl.listSessions({ status: "in_progress", most: MOST });
    const doing = [];
    for (const { id, at } of sessions) {
      if (at === null || at.endedAt !== null) continue;
      const { events } = await pawl.transcript({ id, most: 1 }).catch(() => ({ events: [] }));
      const line = events.map(lineOf).findLast((one) => one !== "");
      doing.push({ sessionId: id, anchor: at.anchor, planPath: at.planPath, line: line ?? null });
    }
    return { doing };
  },
};

type Event = Awaited<ReturnType<Parameters<Route["answer"]>[0]["pawl"]["transcript"]>>["events"][number];

const LONGEST = 200;

function lineOf(event: Event): string {
  if (event.kind === "call")
    return `${event.tool}${event.detail === null ? "" : ` ${firstLine(event.detail)}`}`;
  if (event.kind === "text" || event.kind === "notice") return lastLine(event.text);
  return event.kind === "refused" ? `refused: ${firstLine(event.what)}` : "";
}

const firstLine = (text: string): string => text.split("\n", 1)[0]!.slice(0, LONGEST);

const lastLine = (text: string): string =>
  (text.split("\n").findLast((line) => line.trim() !== "") ?? "").trim().slice(0, LONGEST);
