import type { Route } from "../route.ts";

export const commitRoute: Route = {
  method: "GET",
  path: "/api/commit",
  command: "ui commit",
  about: "A commit with what it changed",
  takes: ["hash"],
  answer: async ({ pawl }, { query }) => await pawl.commitView({ commit: query.needed("hash") }),
};
