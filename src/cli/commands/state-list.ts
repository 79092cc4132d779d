import { defineCommand } from "../command.ts";
import { bar } from "../text/layout.ts";
import { snakeCase } from "../../journal/index.ts";

export const stateListCommand = defineCommand({
  name: "state list",
  operands: [],
  options: {},
  examples: ["pawl state list"],
  async run(context) {
    const plans = await (await context.pawl()).list();
    return {
      data: snakeCase({ plans }),
      text: (paint) => {
        if (plans.length === 0) return "No plan has state yet. Start with: pawl state init <plan>";
        const width = Math.max(...plans.map((plan) => plan.planPath.length));
        return plans
          .map((plan) => {
            const progress = `${bar(plan.stepsCompleted, plan.stepsTotal, 10)} ${plan.stepsCompleted}/${plan.stepsTotal}`;
            const held = plan.stepsHeld > 0 ? `  ${plan.stepsHeld} held` : "";
            const missing = plan.fileMissing ? paint.yellow("  file missing") : "";
            return `${paint.bold(plan.planPath.padEnd(width))}  ${progress}${held}${missing}`;
          })
          .join("\n");
      },
    };
  },
});
