/**
 * Text as one word of a command line, for commands that are shown to be typed.
 *
 * Agents run what hints name, and a path, an anchor or a branch may hold anything: `;`, `$(…)`, a leading dash.
 */
export function shellWord(text: string): string {
  if (/^[\w./@:+,=%][\w./@:+,=%-]*$/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
