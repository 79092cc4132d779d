import { snakeCase } from "../../cli/snake-case.ts";
import { sessionChoices } from "../actions/session-actions.ts";
import type { Route } from "../route.ts";

export const session: Route = {
  method: "GET",
  path: "/api/session",
  command: "sessions show",
  about: "One session with its checkpoints",
  takes: ["id"],
  async answer({ pawl }, { query }) {
    const found = await pawl.showSession({ id: query.needed("id") });
    // What it was asked to do may hold what a person typed on a command line, and nobody needs it here.
    const { configuration, ...shown } = found;
    return snakeCase({
      session: shown,
      choices: sessionChoices(found),
      workers: configuration?.["workers"] ?? null,
    });
  },
};
