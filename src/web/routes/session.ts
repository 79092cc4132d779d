import { sessionChoices } from "../actions/session-actions.ts";
import type { Route } from "../route.ts";

/** The commands that are shown of a session that worked for weeks. */
const MOST = 300;

export const sessionRoute: Route = {
  method: "GET",
  path: "/api/session",
  command: "sessions show",
  about: `One session with its last ${MOST} checkpoints, without what they printed`,
  takes: ["id"],
  async answer({ pawl }, { query }) {
    const found = await pawl.showSession({ id: query.needed("id"), most: MOST });
    // What it was asked to do may hold what a person typed on a command line, and no one needs it here.
    const { configuration, ...shown } = found;
    const checkpoints = found.checkpoints.map(({ outputTail: _outputTail, ...one }) => one);
    return {
      session: { ...shown, checkpoints },
      choices: sessionChoices(found),
      workers: configuration?.["workers"] ?? null,
    };
  },
};
