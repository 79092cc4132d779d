import type { Route } from "../route.ts";

export const startRoute: Route = {
  method: "GET",
  path: "/api/start",
  command: "ui start",
  about: "What can be started: plans without state, Markdown files with boxes, agents, workflows",
  takes: [],
  answer: ({ pawl }) => pawl.startingPoints(),
};
