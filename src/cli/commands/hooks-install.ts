import { defineCommand } from "../command.ts";
import { applySetUp } from "../hooks/apply-set-up.ts";
import { AGENT, setUpOutcome } from "../hooks/set-up-outcome.ts";

export const hooksInstallCommand = defineCommand({
  name: "hooks install",
  more: `Hooks and the MCP server for Claude Code; the MCP server and a block in AGENTS.md for Codex; the MCP server and a
block in GEMINI.md for Gemini. What is in those files stays as it is, byte for byte, and a second call changes nothing.
With the plugin you need none of this.`,
  operands: [AGENT],
  options: {},
  examples: ["pawl hooks install", "pawl hooks install claude"],
  run: async (context, _values, [agent]) => setUpOutcome(await applySetUp(context, "install", agent)),
});
