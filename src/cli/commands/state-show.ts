import { defineCommand } from "../command.ts";
import { showPlan } from "../text/show-plan.ts";
import { snakeCase } from "../../journal/index.ts";

export const stateShowCommand = defineCommand({
  name: "state show",
  operands: [{ name: "plan", about: "The plan file; all plans when left out", required: false }],
  options: {},
  examples: ["pawl state show plan.md", "pawl state show --json"],
  async run(context, _values, [plan]) {
    const pawl = await context.pawl();
    if (plan === undefined) {
      const plans = await pawl.showAll();
      return {
        data: snakeCase({ plans }),
        text: (paint) =>
          plans.length === 0
            ? "No plan has state yet. Start with: pawl state init <plan>"
            : plans.map((view) => showPlan(view, context.cwd, paint)).join("\n\n"),
      };
    }
    const view = await pawl.show({ plan });
    return { data: snakeCase({ plan: view }), text: (paint) => showPlan(view, context.cwd, paint) };
  },
});
