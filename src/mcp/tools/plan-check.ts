import { plural } from "../../domain/index.ts";
import { LIST, NUMBER, READS, STRING, defineTool, gives, takes, shortText } from "../tool.ts";
import { forAgents } from "../for-agents.ts";
import { oneLine } from "../foreign-text.ts";

const MOST = 100;

export const planCheckTool = defineTool({
  name: "pawl_plan_check",
  about: "Parse and lint a plan file of this repository: every problem with its line.",
  input: takes({ plan: shortText() }, ["plan"]),
  output: gives({ plan: STRING, steps: NUMBER, errors: NUMBER, warnings: NUMBER, problems: LIST }),
  annotations: READS,
  async run({ pawl }, args) {
    const { planPath, steps, errors, warnings, diagnostics } = await pawl.checkPlan({
      plan: args["plan"] as string,
    });
    const problems = diagnostics
      .filter(({ severity }) => severity !== "info")
      .slice(0, MOST)
      .map(({ code, severity, line, message, hint }) => ({
        code,
        severity,
        line,
        message: oneLine(message),
        hint: forAgents(hint),
      }));
    return {
      data: { plan: planPath, steps, errors, warnings, problems },
      line: `${planPath}: ${plural(steps, "step")}, ${plural(errors, "error")}, ${plural(warnings, "warning")}.${errors === 0 ? "" : MEND}`,
    };
  },
});

const MEND =
  " Its steps cannot be claimed until it is fixed. Tell the person, unless you are writing the plan.";
