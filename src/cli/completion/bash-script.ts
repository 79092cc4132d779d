import type { CompletionTable, Slot } from "./completion-table.ts";

/**
 * The completion script for bash 3.2 and later.
 *
 * Tables first, then one function that walks over the words typed so far. It starts no process but `compgen`: a
 * completion that waits for Pawl would be felt at every press of the key.
 */
export function bashScript({ groups, commands, globals }: CompletionTable): string {
  const follow = groups.map(({ name, words }) => arm(quoted(name), set(words.map(({ word }) => word))));
  const options = commands.map(({ name, options }) =>
    arm(quoted(name), set([...options, ...globals].map((option) => option.name))),
  );
  const elsewhere = arm("*", set(globals.map((option) => option.name)));
  const counts = commands.flatMap(({ name, options }) =>
    options
      .filter(({ values }) => values.length > 0)
      .map((option) => arm(quoted(`${name} ${option.name}`), `wants=${option.values.length}`)),
  );
  const offers = commands.flatMap(({ name, options, operands }) => [
    ...options.flatMap((option) =>
      option.values.map((slot, index) => arm(quoted(`${name} ${option.name} ${index + 1}`), offer(slot))),
    ),
    ...operands.map((slot, index) =>
      // The arms are tried in order, so the last operand may claim every number that is left.
      arm(slot.variadic ? `${quoted(`${name} `)}[0-9]*` : quoted(`${name} ${index + 1}`), offer(slot)),
    ),
  ]);
  return [
    HEADER,
    table("_pawl_follow", "The words that may follow a group.", '"$1"', follow),
    table("_pawl_options", "The options of a command.", '"$1"', [...options, elsewhere]),
    table("_pawl_count", "How many values an option takes: COMMAND --OPTION.", '"$1 $2"', counts),
    table(
      "_pawl_offer",
      "What to offer: COMMAND --OPTION N, or COMMAND N for an operand.",
      '"$1 $2"',
      offers,
    ),
    WALK,
  ].join("\n\n");
}

function offer({ offer }: Slot): string {
  if (offer === "nothing") return ":";
  return offer === "files" ? "files=1" : set(offer);
}

const table = (name: string, about: string, subject: string, arms: readonly string[]): string =>
  [`# ${about}`, `${name}() {`, `  case ${subject} in`, ...arms, "  esac", "}"].join("\n");

const arm = (pattern: string, action: string): string => `    ${pattern}) ${action} ;;`;

const set = (words: readonly string[]): string => `words=(${words.map(quoted).join(" ")})`;

const quoted = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

const HEADER = `# Completes pawl in bash. Load it with: source <(pawl completion bash)
# Printed from the command table; print it again after an update.`;

const WALK = `_pawl() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" word command='' option='' words
  local -i i wants=0 taken=0 operands=0 files=0 glued=0 ended=0
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    # Bash makes words of their own out of = and :, so a value may come in pieces.
    if [[ -n $word && -z \${word//[=:]/} ]]; then
      ((wants > 0)) || glued=1
    elif ((glued)); then
      glued=0
    elif ((wants > 0)); then
      ((wants -= 1, taken += 1))
    elif ((!ended)) && [[ $word == -- ]]; then
      ended=1
    elif ((!ended)) && [[ $word == -?* ]]; then
      option=$word taken=0
      [[ $word == *=* ]] || _pawl_count "$command" "$option"
    elif [[ -n $command || $word != help ]]; then
      words=()
      _pawl_follow "$command"
      if _pawl_has "$word"; then command="\${command:+$command }$word"; else operands+=1; fi
    fi
  done
  [[ -n $cur && -z \${cur//[=:]/} ]] && cur=''
  words=()
  if ((wants > 0)); then
    _pawl_offer "$command" "$option $((taken + 1))"
  elif ((glued)); then
    return
  elif ((!ended)) && [[ $cur == -* ]]; then
    _pawl_options "$command"
  else
    _pawl_follow "$command"
    ((\${#words[@]} > 0)) || _pawl_offer "$command" "$((operands + 1))"
  fi
  for word in \${words[@]+"\${words[@]}"}; do
    [[ $word == "$cur"* ]] && COMPREPLY+=("$word")
  done
  ((files)) && _pawl_files "$cur"
  return 0
}

_pawl_has() {
  local word
  for word in \${words[@]+"\${words[@]}"}; do
    [[ $word == "$1" ]] && return 0
  done
  return 1
}

# Names may hold spaces: one name a line, and readline quotes them. Bash 3.2 cannot, so there we do.
_pawl_files() {
  local name
  while IFS= read -r name; do
    COMPREPLY+=("$name")
  done < <(compgen -f -- "$1")
  if type compopt > /dev/null 2>&1; then
    compopt -o filenames 2> /dev/null
  else
    for name in "\${!COMPREPLY[@]}"; do
      COMPREPLY[name]=$(printf %q "\${COMPREPLY[name]}")
    done
  fi
}

complete -F _pawl pawl`;
