import type { Route } from "../route.ts";

export const runsRoute: Route = {
  method: "GET",
  path: "/api/runs",
  command: "ui runs",
  about: "Runs, newest first: each with its workers, its steps and what it used",
  takes: ["plan", "most"],
  async answer({ pawl, operand }, { query }) {
    const plan = query.text("plan");
    return {
      runs: await pawl.listRuns({
        plan: plan === undefined ? undefined : operand(plan),
        most: query.number("most"),
      }),
    };
  },
};
