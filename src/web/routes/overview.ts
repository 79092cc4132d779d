import type { Route } from "../route.ts";

export const overviewRoute: Route = {
  method: "GET",
  path: "/api/overview",
  command: "ui overview",
  about:
    "Plans with how many steps stand where, what waits for a person or to land, commands started from the page",
  takes: [],
  async answer({ pawl, jobs, isReadOnly, version }) {
    const seen = await pawl.overview();
    const sessions = await pawl.listSessions({ status: "in_progress", most: 50 });
    return {
      ...seen,
      attention: await pawl.attention(),
      sessions,
      train: await pawl.train({}),
      notVerified: await pawl.notVerified(),
      jobs: jobs.list(),
      readOnly: isReadOnly,
      version,
    };
  },
};
