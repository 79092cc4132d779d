import type { Command, Operand, Option } from "./command.ts";

/** An operand whose name ends in `…` takes all the words that are left; only the last one of a command may. */
export const isVariadic = (operand: Operand): boolean => operand.name.endsWith("…");

/** How an operand is written in help and errors: `<plan>` when it is required, `[plan]` when it is not. */
export const operandSyntax = (operand: Operand): string =>
  operand.required ? `<${operand.name}>` : `[${operand.name}]`;

/** How an option is written in help: `--task N STATUS`. */
export function optionSyntax(name: string, option: Option): string {
  if (option.type === "flag") return `--${name}`;
  return `--${name} ${option.value ?? PLACEHOLDERS[option.type]}`;
}

const PLACEHOLDERS = { text: "TEXT", number: "N", pair: "N VALUE" } as const;

export function usageLine(command: Command): string {
  const words = ["pawl", command.name, ...command.operands.map(operandSyntax)];
  return shownOptions(command).length > 0 ? `${words.join(" ")} [options]` : words.join(" ");
}

/** What help, completion and suggestions may mention. */
export const shownOptions = (command: Command): readonly (readonly [name: string, option: Option])[] =>
  Object.entries(command.options).filter(([, option]) => option.hidden !== true);

/** What an option does, with what its type adds: its choices, and whether it may be repeated. */
export function optionAbout(option: Option): string {
  const parts = [option.about];
  if (option.choices && option.choices.length > 0) parts.push(`one of ${option.choices.join(", ")}`);
  if (option.many === true) parts.push("may be repeated");
  return parts.length === 1 ? option.about : `${option.about} (${parts.slice(1).join("; ")})`;
}

/** `about` is written for a list; standing alone it reads as a sentence. */
export const sentence = (about: string): string =>
  `${about.charAt(0).toUpperCase()}${about.slice(1)}${/[.!?…]$/.test(about) ? "" : "."}`;
