import type { Route } from "../route.ts";

/** To look through more at once would keep other windows waiting; the plan's own page has a mark for each step. */
const MOST_COUNTED = 500;

const MOST_ENDED = 3;

export const overviewRoute: Route = {
  method: "GET",
  path: "/api/overview",
  command: "ui overview",
  about: "Plans with the number of steps in each state, what waits to land, commands started from the page",
  takes: [],
  async answer({ pawl, jobs, isReadOnly, version }) {
    const seen = await pawl.overview();
    const sessions = await pawl.listSessions({ status: "in_progress", most: 50 });
    const runs = await pawl.listRuns({ most: 60 });
    const ended = runs.filter(({ status, resumable }) => status !== "in_progress" && !resumable);
    return {
      ...seen,
      sessions,
      // What ended last says what came of it: the page of a run stays open afterwards.
      runs: runs.filter((run) => !ended.includes(run) || ended.indexOf(run) < MOST_ENDED),
      progress: await pawl.planProgress({}),
      train: await pawl.train({}),
      notVerified: await pawl.notVerified({ most: MOST_COUNTED }),
      jobs: jobs.list(),
      readOnly: isReadOnly,
      version,
    };
  },
};
