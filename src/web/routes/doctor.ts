import type { Route } from "../route.ts";
import { toldBy } from "../told.ts";

/** Looking through a large database takes a while, so it is done by a process of its own. */
export const doctor: Route = {
  method: "GET",
  path: "/api/doctor",
  command: "doctor",
  about: "The checks of `pawl doctor`",
  takes: [],
  answer: async ({ jobs }) => toldBy(await jobs.ask(["doctor"])),
};
