import type { Route } from "../route.ts";

const MOST = 200;

export const findingsRoute: Route = {
  method: "GET",
  path: "/api/findings",
  command: "recover",
  about: "What `pawl recover` would find, with its choices; looked for anew when something has happened",
  takes: [],
  async answer({ findings: kept }) {
    const found = await kept.known();
    const of = (weight: string) => found.filter((one) => one.weight === weight);
    const counts = { decide: of("decide").length, proven: of("proven").length, know: of("know").length };
    const shown = ["decide", "proven", "know"].flatMap((weight) => of(weight).slice(0, MOST));
    return { findings: shown, counts };
  },
};
