import { defineCommand } from "../command.ts";
import { applySetUp } from "../hooks/apply-set-up.ts";
import { AGENT, setUpOutcome } from "../hooks/set-up-outcome.ts";

export const hooksInstallCommand = defineCommand({
  name: "hooks install",
  more: `Hooks and the MCP server for Claude Code; the MCP server and a block in AGENTS.md for Codex; the MCP server
and a block in GEMINI.md for Gemini. It leaves everything else in those files unchanged, byte for byte, and a second
call changes nothing. With the plugin you do not need it.`,
  operands: [AGENT],
  options: {},
  examples: ["pawl hooks install", "pawl hooks install claude"],
  run: async (context, _values, [agent]) => setUpOutcome(await applySetUp(context, "install", agent)),
});
