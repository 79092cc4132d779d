import type { Route } from "../route.ts";

export const sessionsRoute: Route = {
  method: "GET",
  path: "/api/sessions",
  command: "sessions list",
  about: "Sessions, newest first",
  takes: ["plan", "most"],
  async answer({ pawl, operand }, { query }) {
    const plan = query.text("plan");
    const found = await pawl.listSessions({
      plan: plan === undefined ? undefined : operand(plan),
      most: Math.min(query.number("most") ?? 100, 200),
    });
    return { sessions: found };
  },
};
