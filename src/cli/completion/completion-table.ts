import type { Command, Operand, Option } from "../command.ts";
import { GLOBAL_FLAGS } from "../global-flags.ts";
import { firstWords, membersOf, type Registry } from "../registry.ts";
import { isVariadic, shownOptions } from "../usage.ts";

/** Everything the completion scripts need to know, with the differences between shells left to them. */
export interface CompletionTable {
  /** What may follow `pawl` (the group with the empty name), and what may follow each group. */
  readonly groups: readonly { readonly name: string; readonly words: readonly Word[] }[];
  readonly commands: readonly CompletedCommand[];
  /** The flags that may stand anywhere. */
  readonly globals: readonly CompletedOption[];
}

export interface Word {
  readonly word: string;
  readonly about: string;
}

export interface CompletedCommand {
  readonly name: string;
  readonly options: readonly CompletedOption[];
  readonly operands: readonly CompletedOperand[];
}

export interface CompletedOption {
  /** With its dashes. */
  readonly name: string;
  readonly about: string;
  readonly many: boolean;
  /** One for each value it takes; none for a flag. */
  readonly values: readonly Slot[];
}

export interface CompletedOperand extends Slot {
  readonly required: boolean;
  readonly variadic: boolean;
}

/** A place for a value: what it is called, and what can be offered for it. */
export interface Slot {
  readonly name: string;
  readonly offer: "files" | "nothing" | readonly string[];
}

export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;

export function completionTable(registry: Registry, commands: readonly Command[]): CompletionTable {
  const groups = firstWords(registry).filter((word) => membersOf(registry, word).length > 0);
  const top = firstWords(registry).map((word) => ({
    word,
    about:
      registry[word]?.about ??
      `Commands: ${membersOf(registry, word)
        .map(([name]) => name)
        .join(", ")}`,
  }));
  return {
    groups: [
      { name: "", words: [...top, { word: "help", about: "Show the help of a command" }] },
      ...groups.map((name) => ({
        name,
        words: membersOf(registry, name).map(([word, about]) => ({ word, about })),
      })),
    ],
    commands: commands.map(completedCommand),
    globals: GLOBAL_FLAGS.map(({ name, about }) => ({ name: `--${name}`, about, many: false, values: [] })),
  };
}

const completedCommand = (command: Command): CompletedCommand => ({
  name: command.name,
  options: shownOptions(command).map(([name, option]) => completedOption(name, option)),
  operands: command.operands.map(completedOperand),
});

const completedOption = (name: string, option: Option): CompletedOption => ({
  name: `--${name}`,
  about: option.about,
  many: option.many === true,
  values: slotsOf(option),
});

function slotsOf(option: Option): readonly Slot[] {
  const names = (option.value ?? "").toLowerCase().split(" ");
  const choices = option.choices ?? [];
  const slot = (index: number, fallback: string, offered: readonly string[]): Slot => {
    const name = names[index] || fallback;
    return { name, offer: offered.length > 0 ? offered : FILE_NAMES.test(name) ? "files" : "nothing" };
  };
  if (option.type === "flag") return [];
  // The choices of a pair are those of its second value.
  return option.type === "pair" ? [slot(0, "n", []), slot(1, "value", choices)] : [slot(0, "value", choices)];
}

function completedOperand(operand: Operand): CompletedOperand {
  const name = operand.name.replace(/…$/, "");
  const offer = name === "shell" ? SHELLS : FILE_NAMES.test(name) ? "files" : "nothing";
  return { name, offer, required: operand.required, variadic: isVariadic(operand) };
}

/** Names of operands and values that stand for a path. */
const FILE_NAMES = /^(?:plan|path|file|folder|directory|dir|worktree)s?$/;
