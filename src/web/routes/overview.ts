import type { Route } from "../route.ts";

/** To look through more at once would keep other windows waiting; the plan's own page has a mark for each step. */
const MOST_COUNTED = 500;

export const overviewRoute: Route = {
  method: "GET",
  path: "/api/overview",
  command: "ui overview",
  about: "Plans with how many steps stand where, what waits to land, commands started from the page",
  takes: [],
  async answer({ pawl, jobs, isReadOnly, version }) {
    const seen = await pawl.overview();
    const sessions = await pawl.listSessions({ status: "in_progress", most: 50 });
    return {
      ...seen,
      sessions,
      train: await pawl.train({}),
      notVerified: await pawl.notVerified({ most: MOST_COUNTED }),
      jobs: jobs.list(),
      readOnly: isReadOnly,
      version,
    };
  },
};
