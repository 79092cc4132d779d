import { Failure } from "../../domain/index.ts";
import { choicesFor } from "../actions/step-actions.ts";
import type { Route } from "../route.ts";

export const stepRoute: Route = {
  method: "GET",
  path: "/api/step",
  command: "ui step",
  about:
    "One step: text, checklist, attempts with evidence, commands, why it is in its state, what can be done",
  takes: ["plan", "step"],
  async answer({ pawl, operand }, { query }) {
    const address = { plan: operand(query.needed("plan")), step: query.needed("step") };
    const { items, artifacts } = await pawl.step(address);
    const history = await pawl.stepHistory(address);
    const [explanation] = (await pawl.explain({ ...address, withoutFindings: true })).steps;
    const [line] = (await pawl.stepLines({ plan: address.plan, anchors: [history.anchor] })).steps;
    if (line === undefined || explanation === undefined)
      throw new Failure("step/unknown", `There is no step ${history.anchor} any more.`, {});
    const { because, evidence, next, failure, train, said } = explanation;
    return {
      ...history,
      step: line,
      items,
      artifacts,
      explanation: { because, evidence, next, failure, train, said },
      choices: choicesFor(line),
    };
  },
};
