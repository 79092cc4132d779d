import type { Route } from "../route.ts";

export const timelineRoute: Route = {
  method: "GET",
  path: "/api/timeline",
  command: "ui timeline",
  about: "Who worked on what when: sessions with their commands",
  takes: ["plan", "run"],
  async answer({ pawl, operand }, { query }) {
    const plan = query.text("plan");
    const sessions = await pawl.timeline({
      plan: plan === undefined ? undefined : operand(plan),
      run: query.text("run"),
    });
    return { sessions };
  },
};
