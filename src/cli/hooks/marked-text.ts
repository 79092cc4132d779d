import type { ConfigText } from "./config-text.ts";

const BEGIN = "<!-- pawl: begin -->";
const END = "<!-- pawl: end -->";

/** A block at the top of a Markdown file, between two marks. */
export function markedMarkdown(body: string): ConfigText {
  const block = `${BEGIN}\n${body}\n${END}`;
  const takeOut = (text: string | null): string | null => {
    if (text === null || text === `${block}\n`) return null;
    if (text === block) return "";
    const end = text.indexOf(END, text.indexOf(BEGIN));
    // A mark whose other half is gone marks nothing: what follows it is a person's text.
    const from = end === -1 ? -1 : text.lastIndexOf(BEGIN, end);
    if (from === -1) return text;
    const after = end + END.length;
    const lineEnd = /^\r?\n/.exec(text.slice(after, after + 2))?.[0] ?? "";
    return takeOut(text.slice(0, from) + text.slice(after + lineEnd.length));
  };
  return {
    nothing: "",
    takeOut,
    put(given) {
      const text = takeOut(given);
      if (text === null) return `${block}\n`;
      if (text === "") return block;
      const bom = text.startsWith("\ufeff") ? 1 : 0;
      return `${text.slice(0, bom)}${block}\n${text.slice(bom)}`;
    },
  };
}
