import { mattersIn } from "../../recovery/index.ts";
import type { Route } from "../route.ts";
import type { MatterCard } from "../wire.ts";

const MOST = 200;

export const findingsRoute: Route = {
  method: "GET",
  path: "/api/findings",
  command: "recover",
  about: "What `pawl recover` would find, with its choices; searched again when something has changed",
  takes: [],
  async answer({ findings: kept }) {
    // The same matters as `recover` and `status` count: what one run left is one of them.
    const matters = mattersIn(await kept.known()).map(
      ({ found, findings: [first, ...others] }): MatterCard => ({
        ...first,
        found,
        among: others.length + 1,
      }),
    );
    const of = (weight: string) => matters.filter((one) => one.weight === weight);
    const counts = { decide: of("decide").length, proven: of("proven").length, know: of("know").length };
    const shown = ["decide", "proven", "know"].flatMap((weight) => of(weight).slice(0, MOST));
    return { findings: shown, counts };
  },
};
