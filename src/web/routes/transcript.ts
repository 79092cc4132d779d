import type { Route } from "../route.ts";

export const transcriptRoute: Route = {
  method: "GET",
  path: "/api/transcript",
  command: "sessions logs",
  about:
    "What a command of a session said and did, as events: first the newest; older with before=older, newer with after=next",
  takes: ["id", "command", "before", "after", "log", "find", "errors", "most"],
  answer: ({ pawl }, { query }) =>
    pawl.transcript({
      id: query.needed("id"),
      command: query.number("command"),
      before: query.number("before"),
      after: query.number("after"),
      log: query.text("log"),
      find: query.text("find"),
      errors: query.text("errors") === "1",
      most: query.number("most"),
    }),
};
