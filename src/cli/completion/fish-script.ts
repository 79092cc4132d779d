import type { CompletedCommand, CompletedOption, CompletionTable, Slot } from "./completion-table.ts";

/** The completion script for fish: rules that hold at a place, and a function that says which place the cursor is at. */
export function fishScript({ groups, commands, globals }: CompletionTable): string {
  const follow = groups.map(({ name, words }) =>
    arm(name, `printf '%s\\n' ${words.map(({ word }) => quoted(word)).join(" ")}`),
  );
  const counts = commands.flatMap(({ name, options }) =>
    options
      .filter(({ values }) => values.length > 0)
      .map((option) => arm(`${name} ${option.name}`, `echo ${option.values.length}`)),
  );
  const words = groups.flatMap(({ name, words }) =>
    words.map(({ word, about }) => rule(`word ${name}`, `-a ${offered([word])} -d ${quoted(about)}`)),
  );
  const anywhere = globals.map(
    ({ name, about }) => `complete -c pawl -l ${name.slice(2)} -d ${quoted(about)}`,
  );
  return [
    HEADER,
    table("__pawl_follow", "$argv[1]", follow, ""),
    table("__pawl_count", '"$argv[1] $argv[2]"', counts, "echo 0"),
    WALK,
    ["complete -c pawl -f", ...anywhere, ...words, ...commands.flatMap(commandRules)].join("\n"),
  ].join("\n\n");
}

const commandRules = ({ name, options, operands }: CompletedCommand): readonly string[] => [
  ...options.flatMap((option) => optionRules(name, option)),
  ...operands.flatMap((slot, index) => offerRule(`operand ${name} ${index + 1}`, slot, slot.variadic)),
];

/** Fish knows the first value of an option by itself; the second of a pair is a place of its own. */
function optionRules(command: string, { name, about, values }: CompletedOption): readonly string[] {
  const [first, second] = values;
  const takes = first === undefined ? "" : first.offer === "files" ? " -r -F" : ` -x${choices(first)}`;
  const option = `complete -c pawl -n ${quoted(`__pawl_in ${quoted(command)}`)} -l ${name.slice(2)}${takes} -d ${quoted(about)}`;
  return second === undefined ? [option] : [option, ...offerRule(`value ${command} ${name} 2`, second)];
}

function offerRule(place: string, slot: Slot, variadic = false): readonly string[] {
  if (slot.offer === "nothing") return [];
  return [rule(variadic ? `${place}+` : place, slot.offer === "files" ? "-F" : choices(slot).trim())];
}

const choices = ({ offer }: Slot): string => (typeof offer === "string" ? "" : ` -a ${offered(offer)}`);

/** Fish splits and expands what is offered when it offers it, so each word is quoted for then, and all of it for now. */
const offered = (words: readonly string[]): string =>
  quoted(words.map((word) => (/^[\w.-]+$/.test(word) ? word : quoted(word))).join(" "));

const rule = (place: string, offered: string): string =>
  `complete -c pawl -n ${quoted(`__pawl_at ${quoted(place.trim())}`)} ${offered}`;

const table = (name: string, subject: string, arms: readonly string[], otherwise: string): string =>
  [
    `function ${name}`,
    `    switch ${subject}`,
    ...arms,
    ...(otherwise === "" ? [] : ["        case '*'", `            ${otherwise}`]),
    "    end",
    "end",
  ].join("\n");

const arm = (pattern: string, action: string): string =>
  `        case ${quoted(pattern)}\n            ${action}`;

const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, "\\$&")}'`;

const HEADER = `# Completes pawl in fish. Load it with: pawl completion fish | source
# Printed from the command table; print it again after an update.`;

const WALK = `# Where the cursor is: the command so far, and the place in it.
function __pawl_walk
    set -l command ''
    set -l option ''
    set -l wants 0
    set -l taken 0
    set -l operands 0
    set -l ended 0
    for word in (commandline -opc)[2..-1]
        if test $wants -gt 0
            set taken (math $taken + 1)
            set wants (math $wants - 1)
        else if test $ended -eq 0; and test "$word" = --
            set ended 1
        else if test $ended -eq 0; and string match -qr '^-.' -- $word
            if not string match -q '*=*' -- $word
                set option $word
                set taken 0
                set wants (__pawl_count "$command" $option)
            end
        else if test -n "$command"; or test "$word" != help
            if contains -- $word (__pawl_follow "$command")
                set command (string trim "$command $word")
            else
                set operands (math $operands + 1)
            end
        end
    end
    echo $command
    if test $wants -gt 0
        echo "value $command $option "(math $taken + 1)
    else if test (count (__pawl_follow "$command")) -gt 0
        string trim "word $command"
    else
        echo "operand $command "(math $operands + 1)
    end
end

# Whether the cursor is at this place; a place that ends in + stands for the later ones too.
function __pawl_at
    set -l place (__pawl_walk)[2]
    set -l first (string match -r '^(operand .*) ([0-9]+)\\+$' -- $argv[1])
    if test (count $first) -eq 3
        set -l here (string match -r '^(operand .*) ([0-9]+)$' -- $place)
        test (count $here) -eq 3; and test "$here[2]" = "$first[2]"; and test $here[3] -ge $first[3]
    else
        test "$place" = "$argv[1]"
    end
end

# Whether this is the command.
function __pawl_in
    test (__pawl_walk)[1] = $argv[1]
end`;
