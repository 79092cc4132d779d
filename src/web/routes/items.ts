import { Failure } from "../../domain/index.ts";
import type { Route } from "../route.ts";

/** As many as are seen at once; each is a few look-ups. */
const MOST = 40;

export const itemsRoute: Route = {
  method: "GET",
  path: "/api/items",
  command: "ui items",
  about: "The checklists of the steps that are named, without those of their substeps",
  takes: ["plan", `anchor (up to ${MOST})`],
  async answer({ pawl, operand }, { query }) {
    const plan = operand(query.needed("plan"));
    const anchors = query.all("anchor");
    if (anchors.length > MOST)
      throw new Failure("usage/wrong", `At most ${MOST} steps can be named at once.`, {});
    const steps = [];
    for (const step of anchors) {
      const found = await pawl.step({ plan, step });
      steps.push({ anchor: step, items: found.items.filter(({ anchor }) => anchor === found.anchor) });
    }
    return { steps };
  },
};
