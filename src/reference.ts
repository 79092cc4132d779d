import { COMMANDS } from "./cli/commands/index.ts";
import { manPage } from "./cli/print-man.ts";
import {
  code,
  commandReference,
  errorReference,
  stepMachineReference,
  table,
  cellText,
} from "./cli/print-reference.ts";
import { hookCommandLine } from "./cli/hooks/set-ups.ts";
import { HOOK_EVENTS } from "./cli/hooks/hook-events.ts";
import { settingsReference } from "./agents/settings/print-settings.ts";
import { guaranteeReference, type Proofs } from "./cli/print-guarantees.ts";
import { diagnosticReference } from "./plans/formats/diagnostic-reference.ts";
import { SKILLS, skillFile } from "./agents/prompts/skills.ts";
import { ruleReference } from "./recovery/rules/rule-reference.ts";
import { TOOLS } from "./mcp/tools/index.ts";
import { uiReference } from "./web/ui-reference.ts";

/** What is printed from tables: the pages of `docs/` by file name, and the files of the plugin. */
export async function references(proofs: Proofs): Promise<Readonly<Record<string, string>>> {
  const commands = await Promise.all(Object.values(COMMANDS).map((entry) => entry.load()));
  return {
    "commands.md": commandReference(commands),
    "pawl.1": manPage(commands),
    "errors.md": errorReference(),
    "step-machine.md": stepMachineReference(),
    "configuration.md": settingsReference(),
    "plan-diagnostics.md": diagnosticReference(),
    "guarantees.md": guaranteeReference(proofs),
    "../plugin/hooks/hooks.json": pluginHooks(),
    ...Object.fromEntries(
      SKILLS.map((skill) => [`../plugin/skills/${skill.name}/SKILL.md`, skillFile(skill)]),
    ),
    "recovery-rules.md": ruleReference(),
    "ui.md": uiReference(),
  };
}

/** What stands in the README, and in the page about agents, between two marks. */
export { guaranteeTable } from "./cli/print-guarantees.ts";

/** The tables of `docs/agents.md`, by the name of the mark that they stand behind. */
export const agentTables = (): Readonly<Record<string, string>> => ({
  tools: table(
    ["tool", "only reads", "what it does"],
    TOOLS.map(({ name, annotations, about }) => [
      code(name),
      annotations.readOnlyHint ? "yes" : "",
      cellText(about),
    ]),
  ),
  hooks: table(
    ["event of Claude Code", "`pawl hook …`", "what happens"],
    Object.entries(HOOK_EVENTS).map(([name, { event, about }]) => [code(event), code(name), cellText(about)]),
  ),
});

/** The hooks of the plugin: the same as `pawl hooks install` puts into the settings. */
function pluginHooks(): string {
  const hooks = Object.entries(HOOK_EVENTS).map(([name, { event }]) => [
    event,
    [{ hooks: [{ type: "command", command: hookCommandLine(name), timeout: 10 }] }],
  ]);
  return `${JSON.stringify({ hooks: Object.fromEntries(hooks) }, null, 2)}\n`;
}
