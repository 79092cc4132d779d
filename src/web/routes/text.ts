import { bareAnchor, Failure } from "../../domain/index.ts";
import type { Route } from "../route.ts";
import { answerData } from "../answer-data.ts";

/** Reading a long plan takes a while, so it is done by a process of its own. */
export const textRoute: Route = {
  method: "GET",
  path: "/api/text",
  command: "plan show",
  about: "What the file of a plan says about a step, for plans that are too long to say it with the step",
  takes: ["plan", "step"],
  async answer({ pawl, jobs, operand }, { query }) {
    const asked = query.needed("step");
    // Only what has state: any other file may be private.
    const known = await pawl.stepLines({ plan: operand(query.needed("plan")), anchors: [bareAnchor(asked)] });
    const step = known.steps[0]?.anchor;
    if (step === undefined) throw new Failure("step/unknown", "There is no such step.", {});
    const plan = operand(known.planPath);
    const { steps } = answerData(await jobs.ask(["plan", "show", `--step=${step}`, "--", plan]));
    const [found] = (steps ?? []) as readonly { readonly body: string }[];
    return { text: found?.body ?? null };
  },
};
