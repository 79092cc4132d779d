import type { Route } from "../route.ts";

export const stepsRoute: Route = {
  method: "GET",
  path: "/api/steps",
  command: "ui steps",
  about: "A page of a plan's steps, or the steps that are named",
  takes: ["plan", "after", "most", "anchor (up to 200)"],
  async answer({ pawl, operand }, { query }) {
    const anchors = query.all("anchor");
    return pawl.stepLines({
      plan: operand(query.needed("plan")),
      after: query.number("after"),
      most: query.number("most"),
      anchors: anchors.length > 0 ? anchors : undefined,
    });
  },
};
