import { actionNamed, actionSubject } from "../actions/index.ts";
import { OPTION_NAMES } from "../wire.ts";
import type { Route } from "../route.ts";

export const previewRoute: Route = {
  method: "GET",
  path: "/api/preview",
  command: "ui preview",
  about: "What an action would do, what is kept, and the version that it would be decided on",
  takes: ["action", "plan", "step", "session", "worktree", "rule", "subject", "key", ...OPTION_NAMES],
  async answer(context, { query }) {
    const action = actionNamed(query.needed("action"));
    return { action: action.name, ...(await action.preview(context, actionSubject(query.text))) };
  },
};
