import {
  allMoves,
  ERRORS,
  EXIT_CODE_TABLE,
  EXIT_CODES,
  STEP_STATUSES,
  STEP_TRANSITIONS,
} from "../domain/index.ts";
import type { Command } from "./command.ts";
import { GLOBAL_FLAGS } from "./global-flags.ts";
import { displayWidth, padEnd } from "./text/layout.ts";
import { operandSyntax, optionAbout, optionSyntax, sentence, shownOptions, usageLine } from "./usage.ts";

/** `docs/commands.md`: every command with what it takes, in the order of the registry. */
export function commandReference(commands: readonly Command[]): string {
  const contents = commands.map(
    ({ name, about }) => `- [\`pawl ${name}\`](#pawl-${name.replaceAll(" ", "-")}): ${cellText(about)}`,
  );
  const flags = GLOBAL_FLAGS.map(({ name, short, about }) => [
    code(short === undefined ? `--${name}` : `--${name}, -${short}`),
    cellText(about),
  ]);
  return page("Commands", [
    contents.join("\n"),
    "Every command also takes:",
    table(["flag", "meaning"], flags),
    ...commands.flatMap(commandSection),
  ]);
}

function commandSection(command: Command): readonly string[] {
  const operands = command.operands.map((operand) => [code(operandSyntax(operand)), cellText(operand.about)]);
  const options = shownOptions(command).map(([name, option]) => [
    code(optionSyntax(name, option)),
    cellText(optionAbout(option)),
  ]);
  return [
    `## pawl ${command.name}`,
    cellText(sentence(command.about)),
    fence("text", [usageLine(command)]),
    ...(command.more === undefined ? [] : more(command.more)),
    table(["operand", "meaning"], operands),
    table(["option", "meaning"], options),
    fence("sh", command.examples),
  ];
}

/** As in help: blank lines part paragraphs, indented ones are shown as they are written. */
const more = (words: string): readonly string[] =>
  words.split(/\n{2,}/).map((part) =>
    /^\s/.test(part)
      ? fence(
          "text",
          part.split("\n").map((line) => line.replace(/^ {2}/, "")),
        )
      : cellText(part.replaceAll("\n", " ")),
  );

/** `docs/errors.md`: what scripts and agents match on. */
export function errorReference(): string {
  const codes = EXIT_CODE_TABLE.map(({ code: exit, meaning, next }) => [
    `${exit}`,
    cellText(meaning),
    cellText(next),
  ]);
  const rows = Object.entries(ERRORS).map(([name, spec]) => [
    spec.code,
    code(name),
    `${EXIT_CODES[spec.kind]}`,
    cellText(spec.hint),
  ]);
  return page("Errors", [
    "A code and a name never change their meaning. The message is for people and may change. No hint is destructive.",
    table(["code", "name", "exit code", "hint"], rows),
    "## Exit codes",
    "One table for every command. Scripts may rely on it.",
    table(["exit code", "meaning", "what to do"], codes),
  ]);
}

/** `docs/step-machine.md`: the life of a step, drawn and as a table. */
export function stepMachineReference(): string {
  const moves = new Map<string, string[]>();
  for (const { from, event, to } of allMoves()) {
    const arrow = `${from} --> ${to}`;
    moves.set(arrow, [...(moves.get(arrow) ?? []), event]);
  }
  const arrows = [...moves].map(([arrow, events]) => `  ${arrow} : ${events.join(", ")}`);
  const rows = STEP_TRANSITIONS.map(({ event, from, to }) => [
    code(event),
    from.map(code).join(", "),
    code(to),
  ]);
  return page("The life of a step", [
    `A step is in one of ${STEP_STATUSES.length} statuses. It moves only as this table says; the database refuses anything else.`,
    fence("mermaid", ["stateDiagram-v2", "  [*] --> pending", ...arrows, "  completed --> [*]"]),
    table(["event", "from", "to"], rows),
  ]);
}

const page = (title: string, parts: readonly string[]): string =>
  `${[`# ${title}`, PRINTED, ...parts].filter((part) => part !== "").join("\n\n")}\n`;

const PRINTED = "<!-- Printed from the tables in the source by `npm run docs`; edit those. -->";

const fence = (language: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : ["```" + language, ...lines, "```"].join("\n");

/** Columns are padded as the formatter would, so that a printed page is a formatted one. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const widths = head.map((title, index) =>
    Math.max(3, ...[title, ...rows.map((row) => row[index] ?? "")].map(displayWidth)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, index) => padEnd(cell, widths[index] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

/** In a table even a code span must escape the bar. */
export const code = (words: string): string => `\`${words.replaceAll("|", String.raw`\|`)}\``;

/** Words for Markdown, outside code spans: nothing in them is markup or HTML. */
export const cellText = (words: string): string =>
  words
    .split(/(`[^`]*`)/)
    .map((part, index) =>
      index % 2 === 1
        ? part.replaceAll("|", String.raw`\|`)
        : part.replaceAll(/[\\<|*[\]]|(?<!\w)_|_(?!\w)/g, String.raw`\$&`),
    )
    .join("");
