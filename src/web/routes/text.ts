import type { Route } from "../route.ts";
import { toldBy } from "../told.ts";

/** Reading a long plan takes a while, so it is done by a process of its own. */
export const text: Route = {
  method: "GET",
  path: "/api/text",
  command: "plan show",
  about: "What the file of a plan says about a step, for plans that are too long to say it with the step",
  takes: ["plan", "step"],
  async answer({ jobs, operand }, { query }) {
    const step = query.needed("step");
    const plan = operand(query.needed("plan"));
    const { steps } = toldBy(await jobs.ask(["plan", "show", `--step=${step}`, "--", plan]));
    const [found] = (steps ?? []) as readonly { readonly body: string }[];
    return { text: found?.body ?? null };
  },
};
