import { EXIT_CODES } from "../domain/index.ts";
import type { Command } from "./command.ts";
import { GLOBAL_FLAGS } from "./global-flags.ts";
import { operandSyntax, optionAbout, optionSyntax, sentence, shownOptions, usageLine } from "./usage.ts";

/** `docs/pawl.1`: all commands as one manual page. */
export function manPage(commands: readonly Command[]): string {
  return `${[
    String.raw`.\" Printed from the tables in the source by npm run docs; edit those.`,
    '.TH PAWL 1 "" "pawl" "User Commands"',
    ".SH NAME",
    String.raw`pawl \- keeps multi-step work by coding agents from slipping back`,
    ".SH SYNOPSIS",
    String.raw`.B pawl`,
    "<command> [operands] [options]",
    ".SH DESCRIPTION",
    "Pawl gives the steps of a plan to coding agents, supervises them, verifies and commits their work, and after any crash resumes where it stopped.",
    ".SH COMMANDS",
    ...commands.flatMap(section),
    ".SH OPTIONS OF EVERY COMMAND",
    ...GLOBAL_FLAGS.flatMap(({ name, short, about }) =>
      entry(short === undefined ? `--${name}` : `-${short}, --${name}`, about),
    ),
    ".SH EXIT STATUS",
    ...entry("0", "It worked."),
    ...Object.entries(EXIT_CODES).flatMap(([kind, exit]) => entry(`${exit}`, kind)),
    ".SH FILES",
    ...entry("pawl.toml", "Settings, at the top of the repository."),
    ...entry(".git/pawl/", "The database, logs and keys of a repository."),
    ".SH SEE ALSO",
    String.raw`.BR git (1)`,
  ].join("\n")}\n`;
}

const section = (command: Command): readonly string[] => [
  `.SS "${quoted(usageLine(command))}"`,
  line(sentence(command.about)),
  ...(command.more === undefined ? [] : paragraphs(command.more)),
  ...command.operands.flatMap((operand) => entry(operandSyntax(operand), operand.about)),
  ...shownOptions(command).flatMap(([name, option]) =>
    entry(optionSyntax(name, option), optionAbout(option)),
  ),
];

/** As in help: blank lines part paragraphs, indented ones are shown as they are written. */
const paragraphs = (words: string): readonly string[] =>
  words
    .split(/\n{2,}/)
    .flatMap((part) =>
      /^\s/.test(part)
        ? [".PP", ".nf", ...part.split("\n").map(line), ".fi"]
        : [".PP", line(part.replaceAll("\n", " "))],
    );

const entry = (term: string, about: string): readonly string[] => [".TP", `.B ${escaped(term)}`, line(about)];

const escaped = (words: string): string =>
  words.replaceAll("\\", String.raw`\e`).replaceAll("-", String.raw`\-`);

const quoted = (words: string): string => escaped(words).replaceAll('"', String.raw`\(dq`);

/** A line that begins with a dot or a quote would be a request. */
const line = (words: string): string => escaped(words).replace(/^[.']/, String.raw`\&$&`);
