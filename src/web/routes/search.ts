import { answerData } from "../answer-data.ts";
import type { Route } from "../route.ts";

export const searchRoute: Route = {
  method: "GET",
  path: "/api/search",
  command: "sessions logs",
  about: "Where agents said or did something with a text in it, over the logs of all sessions",
  takes: ["find", "errors"],
  // Whole files are read: that is a process of its own.
  answer: async ({ jobs }, { query }) =>
    answerData(
      await jobs.ask([
        "sessions",
        "logs",
        `--find=${query.needed("find")}`,
        ...(query.text("errors") === "1" ? ["--errors"] : []),
      ]),
    ),
};
