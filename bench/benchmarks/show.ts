import type { Benchmark } from "../benchmark.ts";
import { byTurns, median, percentile } from "../samples.ts";
import { bareNode, inRepository, pawl } from "../workbench.ts";
import { largePlan } from "./init.ts";

/** Looking at a very large plan. */
export const show: Benchmark = {
  name: "show",
  about: "a plan of 10,000 steps and 40,000 items, as a command",
  run: ({ quick }) =>
    inRepository(async ({ path, write }) => {
      write("plan.md", largePlan(quick ? 100 : 10_000));
      pawl(path, "state", "init", "plan.md");
      const samples = await byTurns(quick ? 2 : 11, {
        "node -e 0": () => bareNode(path),
        "state show": () => pawl(path, "state", "show", "plan.md"),
        "state show --json": () => pawl(path, "state", "show", "plan.md", "--json"),
        "state ready": () => pawl(path, "state", "ready", "plan.md"),
        "state ready --json": () => pawl(path, "state", "ready", "plan.md", "--json"),
      });
      const base = median(samples["node -e 0"]);
      return Object.entries(samples).map(([what, times]) => ({
        what,
        figures: {
          "p50 ms": median(times),
          "p90 ms": percentile(times, 0.9),
          ratio: median(times) / base,
        },
        ...(what.startsWith("state") ? { goal: { figures: ["p50 ms"], most: 1000 } } : {}),
      }));
    }),
};
