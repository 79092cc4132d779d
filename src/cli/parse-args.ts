import { closest, Failure } from "../domain/index.ts";
import type { Command, Option, Options, OptionValues } from "./command.ts";
import { GLOBAL_FLAGS } from "./global-flags.ts";
import { truncate } from "./text/layout.ts";
import { isVariadic, operandSyntax, shownOptions, usageLine } from "./usage.ts";

export interface ParsedArgs {
  readonly values: OptionValues<Options>;
  readonly operands: readonly string[];
  /** Those of them that stood after `--`. */
  readonly after: readonly string[];
}

type Value = boolean | number | string | readonly [string, string];

/**
 * Reads the words after a command's name against its table; global flags are gone by now.
 *
 * It never guesses. An option that is unknown, repeated or without its value is refused by name, because a command
 * that ran with half of what was asked is harder to undo than one that did not run.
 */
export function parseArgs(command: Command, argv: readonly string[]): ParsedArgs {
  const given = new Map<string, Value[]>();
  const operands: string[] = [];
  const rest = argv.toReversed();
  let after: readonly string[] = [];
  for (let word = rest.pop(); word !== undefined; word = rest.pop()) {
    if (word === "--") {
      after = rest.toReversed();
      for (const operand of after) operands.push(operand);
      break;
    }
    if (!/^-(?![\d\s]|$)/.test(word)) {
      operands.push(word);
      continue;
    }
    const [name, option, inline] = findOption(command, word);
    const earlier = given.get(name) ?? [];
    if (earlier.length > 0 && option.many !== true)
      throw wrong(command, `--${name} is given twice`, { word });
    earlier.push(readValue({ command, name, option, rest }, inline));
    given.set(name, earlier);
  }
  checkOperands(command, operands);
  const entries = [...given].map(([name, list]): [string, unknown] => [
    name,
    command.options[name]?.many === true ? list : list[0],
  ]);
  // Each value was read by the type its option declares: that is what `Values` says, and what no type can follow here.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { values: Object.fromEntries(entries) as OptionValues<Options>, operands, after };
}

/** Where a value is read from: what is left of the line, last word first. */
interface Place {
  readonly command: Command;
  readonly name: string;
  readonly option: Option;
  readonly rest: string[];
}

function findOption(
  command: Command,
  word: string,
): [name: string, option: Option, inline: string | undefined] {
  const equals = word.indexOf("=");
  const spelling = equals === -1 ? word : word.slice(0, equals);
  const name = spelling.slice(2);
  const option = Object.hasOwn(command.options, name) ? command.options[name] : undefined;
  if (option && spelling.startsWith("--")) {
    return [name, option, equals === -1 ? undefined : word.slice(equals + 1)];
  }
  const known = [...shownOptions(command), ...GLOBAL_FLAGS.map((flag) => [flag.name] as const)];
  const near = closest(
    spelling.replace(/^-+/, ""),
    known.map(([candidate]) => candidate),
  );
  const suggestion = near === undefined ? {} : { suggestion: `--${near}` };
  const question = near === undefined ? "" : `; did you mean --${near}?`;
  throw wrong(command, `unknown option ${shown(spelling)}${question}`, { word, ...suggestion });
}

function readValue(place: Place, inline: string | undefined): Value {
  const { command, name, option } = place;
  if (option.type === "flag") {
    if (inline === undefined) return true;
    throw wrong(command, `--${name} takes no value, but was given ${quoted(inline)}`, {
      word: `--${name}=${inline}`,
    });
  }
  if (option.type === "pair") return readPair(place, inline);
  const text = inline ?? nextWord(place);
  checkChoice(place, text);
  return option.type === "number" ? toInteger(place, text) : text;
}

/** `N STATUS` as two words, or `N:STATUS` as one. What choices there are belong to the second value. */
function readPair(place: Place, inline: string | undefined): readonly [string, string] {
  const { command, name, option } = place;
  const first = inline ?? nextWord(place);
  const colon = option.choices ? first.lastIndexOf(":") : first.indexOf(":");
  if (inline !== undefined && colon === -1) {
    throw wrong(
      command,
      `--${name} needs two values, as in --${name}=FIRST:SECOND, but was given ${quoted(inline)}`,
      {
        word: `--${name}=${inline}`,
      },
    );
  }
  const isJoined = colon !== -1 && (inline !== undefined || readsAsOne(place, first, colon));
  const pair = isJoined
    ? ([first.slice(0, colon), first.slice(colon + 1)] as const)
    : ([first, nextWord(place)] as const);
  checkChoice(place, pair[1]);
  return pair;
}

/** The first value may be text with a colon of its own: then the colon joins nothing, and the next word is the second. */
function readsAsOne({ option, rest }: Place, word: string, colon: number): boolean {
  if (!option.choices) return !/\s/.test(word.slice(0, colon));
  return option.choices.includes(word.slice(colon + 1)) || !option.choices.includes(rest.at(-1) ?? "");
}

/** Numbers below zero and text such as `- done` are values; what looks like an option is more likely a forgotten value. */
function nextWord({ command, name, option, rest }: Place): string {
  const word = rest.at(-1);
  const needed = option.type === "pair" ? "two values" : "a value";
  if (word === undefined || word === "--")
    throw wrong(command, `--${name} needs ${needed}`, { word: `--${name}` });
  if (/^--?[A-Za-z][A-Za-z0-9-]*(?:=|$)/.test(word)) {
    throw wrong(
      command,
      `--${name} needs ${needed}, but ${shown(word)} follows; if that is the value, write --${name}=${shown(word)}`,
      { word: `--${name}` },
    );
  }
  rest.pop();
  return word;
}

function toInteger({ command, name }: Place, text: string): number {
  const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  throw wrong(command, `--${name} must be a whole number, not ${quoted(text)}`, { word: text });
}

function checkChoice({ command, name, option }: Place, text: string): void {
  if (!option.choices || option.choices.includes(text)) return;
  const near = closest(text, option.choices);
  const question = near === undefined ? "" : `; did you mean ${near}?`;
  throw wrong(
    command,
    `--${name} must be one of ${option.choices.join(", ")}, not ${quoted(text)}${question}`,
    near === undefined ? { word: text } : { word: text, suggestion: near },
  );
}

function checkOperands(command: Command, given: readonly string[]): void {
  const { operands } = command;
  const missing = operands.find((operand, index) => operand.required && given[index] === undefined);
  if (missing) {
    throw wrong(command, `${operandSyntax(missing)} is missing; usage: ${usageLine(command)}`, {
      word: missing.name,
    });
  }
  // An unset shell variable arrives as an empty word; taken as a path it would mean the folder we are in.
  const empty = operands.find((operand, index) => !isVariadic(operand) && given[index] === "");
  if (empty) throw wrong(command, `${operandSyntax(empty)} is empty`, { word: "" });
  const last = operands.at(-1);
  const extra = last && isVariadic(last) ? undefined : given[operands.length];
  if (extra === undefined) return;
  const takes =
    operands.length === 0 ? "takes no operands" : `takes only ${operands.map(operandSyntax).join(" ")}`;
  throw wrong(command, `unexpected ${quoted(extra)}: it ${takes}`, { word: extra });
}

function wrong(command: Command, message: string, details: Readonly<Record<string, string>>): Failure {
  return new Failure(
    "usage/wrong",
    `pawl ${command.name}: ${message}`,
    { command: command.name, ...details },
    { hint: `Run \`pawl ${command.name} --help\` to see how it is used.` },
  );
}

// A word may be as long as the system allows; a message that shows all of it shows nothing.
const shown = (word: string): string => truncate(word, 60);
const quoted = (word: string): string => `"${shown(word)}"`;
