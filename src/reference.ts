import {
  cellText,
  code,
  commandReference,
  COMMANDS,
  errorReference,
  guaranteeReference,
  HOOK_EVENTS,
  manPage,
  type Proofs,
  stepMachineReference,
  table,
} from "./cli/index.ts";
import {
  permissionsReference,
  settingsReference,
  settingsSchema,
  skillFile,
  SKILLS,
} from "./agents/index.ts";
import { diagnosticReference } from "./plans/formats/index.ts";
import { ruleReference } from "./recovery/rules/index.ts";
import { TOOLS } from "./mcp/index.ts";
import { uiReference } from "./web/index.ts";

/** What is printed from tables: the pages of `docs/` by file name, and the files of the plugin. */
export async function references(proofs: Proofs): Promise<Readonly<Record<string, string>>> {
  const commands = await Promise.all(Object.values(COMMANDS).map((entry) => entry.load()));
  return {
    "commands.md": commandReference(commands),
    "pawl.1": manPage(commands),
    "errors.md": errorReference(),
    "step-machine.md": stepMachineReference(),
    "configuration.md": settingsReference(),
    "pawl.schema.json": settingsSchema(),
    "permissions.md": permissionsReference(),
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

/** What stands in the FAQ between two marks. */
export { guaranteeTable } from "./cli/index.ts";

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

/** The hooks of the plugin: those of `pawl hooks install`, through its own launcher, which finds pawl also off PATH. */
function pluginHooks(): string {
  const hooks = Object.entries(HOOK_EVENTS).map(([name, { event }]) => [
    event,
    [
      {
        hooks: [
          {
            type: "command",
            command: `sh "\${CLAUDE_PLUGIN_ROOT}/bin/pawl" hook ${name} || true`,
            timeout: 10,
          },
        ],
      },
    ],
  ]);
  return `${JSON.stringify({ hooks: Object.fromEntries(hooks) }, null, 2)}\n`;
}
