import type { Route } from "../route.ts";

/** Looking through a large database takes a while, so it is done by a process of its own. */
export const doctor: Route = {
  method: "GET",
  path: "/api/doctor",
  command: "doctor",
  about: "The checks of `pawl doctor`",
  takes: [],
  answer: async ({ jobs }) => dataOf(await jobs.ask(["doctor"])),
};

/** What stands in an envelope that another process of ours printed. */
export const dataOf = (envelope: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  (envelope["data"] ?? {}) as Readonly<Record<string, unknown>>;
