import { defineCommand } from "../command.ts";
import { applySetUp } from "../hooks/apply-set-up.ts";
import { AGENT, setUpOutcome } from "../hooks/set-up-outcome.ts";

export const hooksStatusCommand = defineCommand({
  name: "hooks status",
  more: `Changes nothing.`,
  operands: [AGENT],
  options: {},
  examples: ["pawl hooks status", "pawl hooks status claude"],
  run: async (context, _values, [agent]) => setUpOutcome(await applySetUp(context, "status", agent)),
});
