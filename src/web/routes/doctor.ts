import type { Route } from "../route.ts";
import { answerData } from "../answer-data.ts";

/** Looking through a large database takes a while, so it is done by a process of its own. */
export const doctorRoute: Route = {
  method: "GET",
  path: "/api/doctor",
  command: "doctor",
  about: "The checks of `pawl doctor`",
  takes: [],
  answer: async ({ jobs }) => answerData(await jobs.ask(["doctor"])),
};
