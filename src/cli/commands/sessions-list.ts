import { defineCommand } from "../command.ts";
import { countOf } from "../run-options.ts";
import { groupRuns } from "../../views/index.ts";
import { runLinesOf } from "../text/show-runs.ts";
import { snakeCase } from "../../journal/index.ts";

export const sessionsListCommand = defineCommand({
  name: "sessions list",
  operands: [{ name: "plan", about: "Only sessions of this plan", required: false }],
  options: {
    interrupted: { type: "flag", about: "Only interrupted ones" },
    last: { type: "number", value: "N", about: "How many (50)" },
  },
  examples: ["pawl sessions list", "pawl sessions list --interrupted"],
  async run(context, { interrupted, last }, [plan]) {
    const pawl = await context.pawl();
    const sessions = await pawl.listSessions({
      plan,
      status: interrupted ? "interrupted" : undefined,
      most: countOf(last, "--last"),
    });
    return {
      data: snakeCase({ runs: groupRuns(sessions), sessions }),
      text: (paint) =>
        sessions.length === 0
          ? "No sessions."
          : groupRuns(sessions)
              .flatMap((run) => runLinesOf(run, paint, Date.now()))
              .join("\n"),
    };
  },
});
