import type {
  CompletedCommand,
  CompletedOperand,
  CompletedOption,
  CompletionTable,
  Slot,
} from "./completion-table.ts";

/** The completion script for zsh: one function a command, in the notation of `_arguments`. */
export function zshScript({ groups, commands, globals }: CompletionTable): string {
  const everywhere = globals.map(optionSpec);
  return [
    HEADER,
    ...groups.map((group) => groupFunction(group, everywhere)),
    ...commands.map((command) => commandFunction(command, everywhere)),
    FOOTER,
  ].join("\n\n");
}

/** The words of a group, then over to the function of the word that was chosen. */
function groupFunction(
  { name, words }: CompletionTable["groups"][number],
  everywhere: readonly string[],
): string {
  const next = `_pawl__call ${quoted(name)} $words[1]`;
  return [
    `${functionName(name)}() {`,
    "  local curcontext=$curcontext state line",
    "  local -a offered=(",
    ...words.map(({ word, about }) => `    ${quoted(`${word.replaceAll(":", "\\:")}:${about}`)}`),
    "  )",
    argumentsCall(["-C", "-A", "-*", ...everywhere, ":word:->word", "*::rest:->rest"]),
    "  case $state in",
    `    word) _describe ${quoted(`${name} command`.trim())} offered ;;`,
    `    rest) ${name === "" ? `if [[ $words[1] == help ]]; then _pawl; else ${next}; fi` : next} ;;`,
    "  esac",
    "}",
  ].join("\n");
}

function commandFunction(
  { name, options, operands }: CompletedCommand,
  everywhere: readonly string[],
): string {
  const specs = [...options.map(optionSpec), ...everywhere, ...operands.map(operandSpec)];
  return [`${functionName(name)}() {`, argumentsCall(specs), "}"].join("\n");
}

const argumentsCall = (specs: readonly string[]): string =>
  ["  _arguments", ...specs.map((spec) => `    ${quoted(spec)}`)].join(" \\\n");

function optionSpec({ name, about, many, values }: CompletedOption): string {
  // A trailing `=` accepts the value in the same word too; of two values the first cannot.
  const joined = values.length === 1 ? "=" : "";
  return `${many ? "*" : ""}${name}${joined}[${escaped(about)}]${values.map((slot) => `:${slotSpec(slot)}`).join("")}`;
}

function operandSpec(operand: CompletedOperand, index: number): string {
  const place = operand.variadic ? "*" : `${index + 1}`;
  return `${place}:${operand.required || operand.variadic ? "" : ":"}${slotSpec(operand)}`;
}

function slotSpec({ name, offer }: Slot): string {
  if (offer === "files") return `${escaped(name)}:_files`;
  if (offer === "nothing") return `${escaped(name)}: `;
  // The shell evaluates what stands between these parentheses, so every character that could mean something is escaped.
  return `${escaped(name)}:(${offer.map((word) => word.replaceAll(/[^\w./-]/g, "\\$&")).join(" ")})`;
}

const functionName = (name: string): string =>
  ["_pawl", ...name.split(" ").filter(Boolean)].join("_").replaceAll(/[^\w]/g, "_");

const escaped = (text: string): string => text.replaceAll(/[\\[\]:]/g, "\\$&");

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const HEADER = `#compdef pawl
# Completes pawl in zsh. Load it with: source <(pawl completion zsh)
# or keep it as a file named _pawl in a folder of $fpath. Printed from the command table; print it again after an update.`;

const FOOTER = `# Calls the function of one command, if there is one.
_pawl__call() {
  local called=_pawl_\${1:+$1_}\${2//[^a-zA-Z0-9_]/_}
  (( $+functions[$called] )) && $called
}

if [[ $funcstack[1] == _pawl ]]; then
  _pawl "$@"
else
  compdef _pawl pawl
fi`;
