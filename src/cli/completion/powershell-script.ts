import type { CompletedCommand, CompletedOption, CompletionTable } from "./completion-table.ts";

/** The completion script for PowerShell. What it offers nothing for, PowerShell completes as a path. */
export function powershellScript({ groups, commands, globals }: CompletionTable): string {
  const options = commands.map(({ name, options: own }) =>
    entry(name, list([...own, ...globals].map((option) => option.name))),
  );
  const taking = commands.flatMap((command) =>
    command.options
      .filter(({ values }) => values.length > 0)
      .map((option) => entry(`${command.name} ${option.name}`, String(option.values.length))),
  );
  const texts = new Map([
    ...commands.flatMap(({ options: own }) => own.map(({ name, about }) => [name, about] as const)),
    ...globals.map(({ name, about }) => [name, about] as const),
    ...groups.flatMap(({ words }) => words.map(({ word, about }) => [word, about] as const)),
  ]);
  return [
    HEADER,
    "Register-ArgumentCompleter -Native -CommandName pawl -ScriptBlock {",
    "    param($wordToComplete, $commandAst, $cursorPosition)",
    table(
      "words",
      groups.map(({ name, words }) => entry(name, list(words.map(({ word }) => word)))),
    ),
    table("options", options),
    table("takes", taking),
    table("choices", commands.flatMap(choicesOf)),
    table(
      "about",
      [...texts].map(([word, about]) => entry(word, quoted(about))),
    ),
    WALK,
    "}",
    "",
  ].join("\n");
}

/** What can be offered for the values of its options, and for its operands, which have a place without an option. */
function choicesOf({ name, options, operands }: CompletedCommand): readonly string[] {
  const ofOptions = options.flatMap((option) => valueChoices(name, option));
  const ofOperands = operands.flatMap(({ offer }, at) =>
    typeof offer === "string" ? [] : [entry(`${name} ${at + 1}`, list(offer))],
  );
  return [...ofOptions, ...ofOperands];
}

const valueChoices = (command: string, { name, values }: CompletedOption): readonly string[] =>
  values.flatMap(({ offer }, at) =>
    typeof offer === "string" ? [] : [entry(`${command} ${name} ${values.length - at}`, list(offer))],
  );

const table = (name: string, entries: readonly string[]): string =>
  [`    $${name} = @{`, ...entries.map((line) => `        ${line}`), "    }"].join("\n");

const entry = (key: string, value: string): string => `${quoted(key)} = ${value}`;
const list = (words: readonly string[]): string => `@(${words.map(quoted).join(", ")})`;

/** PowerShell takes the curly quotes for straight ones, and expands nothing between single quotes. */
const quoted = (text: string): string => `'${text.replaceAll(/['\u2018\u2019\u201a\u201b]/g, "$&$&")}'`;

const HEADER = `# Completes pawl in PowerShell. Load it from $PROFILE with: pawl completion powershell | Out-String | Invoke-Expression
# Printed from the command table; print it again after an update.`;

const WALK = `    $command = ''
    $option = ''
    $wants = 0
    $operands = 0
    foreach ($element in @($commandAst.CommandElements | Select-Object -Skip 1)) {
        if ($element.Extent.EndOffset -ge $cursorPosition -and $wordToComplete -ne '') { break }
        if ($element.Extent.StartOffset -ge $cursorPosition) { break }
        $word = $element.Extent.Text
        if ($wants -gt 0) { $wants -= 1 }
        elseif ($word.StartsWith('-')) {
            $option = $word
            $wants = if ($word.Contains('=')) { 0 } else { [int]$takes["$command $word"] }
        }
        elseif ($words[$command] -contains $word) { $command = "$command $word".Trim() }
        elseif ($command -ne '' -or $word -ne 'help') { $operands += 1 }
    }
    $offers = if ($wants -gt 0) { $choices["$command $option $wants"] }
        elseif ($wordToComplete.StartsWith('-')) { $options[$command] }
        elseif ($words.ContainsKey($command)) { $words[$command] }
        else { $choices["$command $($operands + 1)"] }
    foreach ($offer in @($offers)) {
        if ($null -eq $offer -or -not $offer.StartsWith($wordToComplete, [StringComparison]::OrdinalIgnoreCase)) { continue }
        $shown = if ($about[$offer]) { $about[$offer] } else { $offer }
        $inserted = if ($offer -match '^[\\w.-]+$') { $offer } else { "'" + $offer.Replace("'", "''") + "'" }
        [System.Management.Automation.CompletionResult]::new($inserted, $offer, 'ParameterValue', $shown)
    }`;
