import type { Route } from "../route.ts";

export const conflictRoute: Route = {
  method: "GET",
  path: "/api/conflict",
  command: "ui conflict",
  about: "What keeps a blocked step from landing: the files, with both sides of every hunk",
  takes: ["plan", "step"],
  answer: async ({ pawl, operand }, { query }) => ({
    conflict: await pawl.conflict({ plan: operand(query.needed("plan")), step: query.needed("step") }),
  }),
};
