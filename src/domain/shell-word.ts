/**
 * Text as one word of a command line, for commands that are shown to be typed.
 *
 * Agents run what hints name, and a path, an anchor or a branch may hold anything: `;`, `$(…)`, a leading dash.
 */
export function shellWord(text: string): string {
  // Read as an option even in quotes. Only paths can begin so, and this is the same path.
  if (text.startsWith("-")) return shellWord(`./${text}`);
  return shellArgument(text);
}

/** The same for an argument that may be an option, where the whole command line is shown as it is started. */
export function shellArgument(text: string): string {
  if (/^[\w./@:+,=%-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
