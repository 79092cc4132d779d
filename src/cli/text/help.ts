import type { Command } from "../command.ts";
import { GLOBAL_FLAGS } from "../global-flags.ts";
import { firstWords, membersOf, type Registry } from "../registry.ts";
import { operandSyntax, optionAbout, optionSyntax, sentence, shownOptions, usageLine } from "../usage.ts";
import { displayWidth, padEnd, wrap } from "./layout.ts";
import type { Paint } from "./paint.ts";

/** `pawl --help`: single commands with what they do, groups with their commands. Loads no command. */
export function generalHelp(
  { version, commands }: { readonly version: string; readonly commands: Registry },
  paint: Paint,
): string {
  const rows = firstWords(commands).map((word): Row => {
    const about = Object.hasOwn(commands, word) ? commands[word]?.about : undefined;
    return [
      word,
      about ??
        membersOf(commands, word)
          .map(([name]) => name)
          .join(", "),
    ];
  });
  return sections([
    `${paint.bold(`pawl ${version}`)}\n${paragraph("Runs coding agents through the steps of a plan, verifies and commits their work, and resumes after any crash.", paint)}`,
    `${paint.bold("Usage:")} pawl <command> [options]`,
    table("Commands", rows, paint),
    table("Options of every command", [...globalRows(), ["-V, --version", "Print the version"]], paint),
    paragraph("`pawl` alone shows the next command to type; `pawl help <command>` explains one.", paint),
  ]);
}

/** `pawl state --help`: the commands of one group. Loads no command. */
export function groupHelp(group: string, commands: Registry, paint: Paint): string {
  const rows = membersOf(commands, group).map(([name, about]): Row => [`${group} ${name}`, about]);
  return sections([
    `${paint.bold("Usage:")} pawl ${paint.plain(group)} <command> [options]`,
    table("Commands", rows, paint),
    paragraph(`Run \`pawl help ${group} <command>\` for what one command takes.`, paint),
  ]);
}

export function commandHelp(command: Command, paint: Paint): string {
  const operands = command.operands.map((operand): Row => [operandSyntax(operand), operand.about]);
  const options = shownOptions(command).map(([name, option]): Row => [
    optionSyntax(name, option),
    optionAbout(option),
  ]);
  const examples = command.examples.map((example) => `  ${paint.plain(example)}`);
  return sections([
    usage(command, paint),
    paragraph(sentence(command.about), paint),
    more(command.more ?? "", paint),
    table("Operands", operands, paint),
    table("Options", options, paint),
    table("Options of every command", globalRows(), paint),
    examples.length > 0 ? [paint.bold("Examples:"), ...examples].join("\n") : "",
  ]);
}

type Row = readonly [term: string, about: string];

const globalRows = (): readonly Row[] =>
  GLOBAL_FLAGS.map(({ name, short, about }) => [
    short === undefined ? `--${name}` : `-${short}, --${name}`,
    about,
  ]);

/** The usage of a command, its later lines under the first. */
function usage(command: Command, paint: Paint): string {
  const [first = "", ...rest] = wrap(usageLine(command), paint.columns - 7);
  return [
    `${paint.bold("Usage:")} ${paint.plain(first)}`,
    ...rest.map((line) => `       ${paint.plain(line)}`),
  ].join("\n");
}

/** Blank lines part paragraphs; indented lines are shown as they are written. */
function more(text: string, paint: Paint): string {
  return sections(
    text.split(/\n{2,}/).map((part) =>
      /^\s/.test(part)
        ? part
            .split("\n")
            .map((line) => paint.plain(line.trimEnd()))
            .join("\n")
        : paragraph(part.replaceAll("\n", " "), paint),
    ),
  );
}

const paragraph = (text: string, paint: Paint): string =>
  wrap(text, paint.columns)
    .map((line) => paint.plain(line))
    .join("\n");

const sections = (parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n\n");

/**
 * Terms on the left, what they mean on the right, wrapped in its own column.
 *
 * A long term gets a line of its own instead of pushing every description to the edge; in a narrow terminal all do.
 */
function table(title: string, rows: readonly Row[], paint: Paint): string {
  if (rows.length === 0) return "";
  const widest = Math.max(...rows.map(([term]) => displayWidth(term)));
  const left = paint.columns < 40 ? 2 : Math.min(widest, Math.max(12, Math.floor(paint.columns / 3)));
  const lines = rows.flatMap(([term, about]) => {
    const [first = "", ...rest] = wrap(about, paint.columns - left - 4);
    const indented = (line: string): string => `${" ".repeat(left + 4)}${paint.plain(line)}`;
    const shown = `  ${paint.cyan(term)}`;
    if (displayWidth(term) > left) return [shown, indented(first), ...rest.map(indented)];
    return [`${padEnd(shown, left + 2)}  ${paint.plain(first)}`, ...rest.map(indented)];
  });
  return [paint.bold(`${title}:`), ...lines].join("\n");
}
