import { defineCommand } from "../command.ts";
import { applySetUp } from "../hooks/apply-set-up.ts";
import { AGENT, setUpOutcome } from "../hooks/set-up-outcome.ts";

export const hooksUninstallCommand = defineCommand({
  name: "hooks uninstall",
  more: `The files are afterwards what they were, byte for byte; files that were made for it are gone.`,
  operands: [AGENT],
  options: {},
  examples: ["pawl hooks uninstall", "pawl hooks uninstall claude"],
  run: async (context, _values, [agent]) => setUpOutcome(await applySetUp(context, "uninstall", agent)),
});
