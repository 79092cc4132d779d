import { defineCommand } from "../command.ts";
import { applySetUp } from "../hooks/apply-set-up.ts";
import { AGENT, setUpOutcome } from "../hooks/set-up-outcome.ts";

export const hooksUninstallCommand = defineCommand({
  name: "hooks uninstall",
  more: `Restores the files to what they were, byte for byte, and removes files that were created for it.`,
  operands: [AGENT],
  options: {},
  examples: ["pawl hooks uninstall", "pawl hooks uninstall claude"],
  run: async (context, _values, [agent]) => setUpOutcome(await applySetUp(context, "uninstall", agent)),
});
