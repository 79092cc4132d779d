import type { Route } from "../route.ts";

export const journalRoute: Route = {
  method: "GET",
  path: "/api/journal",
  command: "ui journal",
  about: "The journal, newest first; with before=next what is older",
  takes: ["plan", "step", "event", "session", "find", "before", "most"],
  async answer({ pawl, operand }, { query }) {
    const plan = query.text("plan");
    return pawl.journalPage({
      plan: plan === undefined ? undefined : operand(plan),
      step: query.text("step"),
      event: query.text("event"),
      session: query.text("session"),
      find: query.text("find"),
      before: query.number("before"),
      most: query.number("most"),
    });
  },
};
