import { COMMANDS } from "./cli/commands/index.ts";
import { commandReference, errorReference, stepMachineReference } from "./cli/print-reference.ts";
import { settingsReference } from "./config/print-settings.ts";
import { diagnosticReference } from "./formats/diagnostic-reference.ts";
import { uiReference } from "./web/ui-reference.ts";

/** The pages of `docs/` that are printed from tables, by file name. */
export async function references(): Promise<Readonly<Record<string, string>>> {
  const commands = await Promise.all(Object.values(COMMANDS).map((entry) => entry.load()));
  return {
    "commands.md": commandReference(commands),
    "errors.md": errorReference(),
    "step-machine.md": stepMachineReference(),
    "configuration.md": settingsReference(),
    "plan-diagnostics.md": diagnosticReference(),
    "ui.md": uiReference(),
  };
}
