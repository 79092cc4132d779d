import { COMMANDS } from "./cli/commands/index.ts";
import { manPage } from "./cli/print-man.ts";
import { commandReference, errorReference, stepMachineReference } from "./cli/print-reference.ts";
import { settingsReference } from "./config/print-settings.ts";
import { guaranteeReference, type Proofs } from "./cli/print-guarantees.ts";
import { diagnosticReference } from "./formats/diagnostic-reference.ts";

/** The pages of `docs/` that are printed from tables, by file name. */
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
  };
}

/** What stands in the README between two marks, by their name. */
export { guaranteeTable } from "./cli/print-guarantees.ts";
