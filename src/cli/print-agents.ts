import { TOOLS } from "../mcp/tools/index.ts";
import { HOOK_EVENTS } from "./hooks/hook-events.ts";
import { code, table, text } from "./print-reference.ts";

/** The tables of `docs/agents.md`, by the name of the mark that they stand behind. */
export const agentTables = (): Readonly<Record<string, string>> => ({
  tools: table(
    ["tool", "only reads", "what it does"],
    TOOLS.map(({ name, annotations, about }) => [
      code(name),
      annotations.readOnlyHint ? "yes" : "",
      text(about),
    ]),
  ),
  hooks: table(
    ["event of Claude Code", "`pawl hook …`", "what happens"],
    Object.entries(HOOK_EVENTS).map(([name, { event, about }]) => [code(event), code(name), text(about)]),
  ),
});
