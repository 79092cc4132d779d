import type { ConfigText } from "./config-text.ts";

const BEGIN = "<!-- pawl: begin -->";
const END = "<!-- pawl: end -->";

/** A block at the top of a Markdown file, between two marks. */
export function markedMarkdown(body: string): ConfigText {
  const block = `${BEGIN}\n${body}\n${END}`;
  const takeOut: ConfigText["takeOut"] = (text) => {
    if (text === null || text === `${block}\n`) return null;
    if (text === block) return "";
    const from = text.indexOf(BEGIN);
    const end = text.indexOf(END, from);
    if (from === -1 || end === -1) return text;
    const after = end + END.length;
    return text.slice(0, from) + text.slice(text[after] === "\n" ? after + 1 : after);
  };
  return {
    takeOut,
    put(given) {
      const text = takeOut(given) ?? null;
      if (text === null) return `${block}\n`;
      if (text === "") return block;
      const bom = text.startsWith("\ufeff") ? 1 : 0;
      return `${text.slice(0, bom)}${block}\n${text.slice(bom)}`;
    },
  };
}

const TOML_BEGIN = "# pawl: begin";
const TOML_JOINED = "# pawl: begin (the end of the line before is ours)";
const TOML_END = "# pawl: end";

/**
 * A table at the end of a TOML file, between two marks: at the top it would swallow the keys below it. A last line
 * without an end gets one, and the mark says so.
 */
export function markedToml(body: string, isFine: (text: string) => boolean): ConfigText {
  const block = (begin: string) => `${begin}\n${body}\n${TOML_END}\n`;
  const takeOut: ConfigText["takeOut"] = (text) => {
    if (text === null || text === block(TOML_BEGIN)) return null;
    if (text === block(TOML_BEGIN).trimEnd()) return "";
    const joined = text.indexOf(`\n${TOML_JOINED}\n`);
    const from = joined === -1 ? text.search(/^# pawl: begin$/m) : joined;
    const end = text.indexOf(`${TOML_END}\n`, from);
    return from === -1 || end === -1 ? text : text.slice(0, from) + text.slice(end + TOML_END.length + 1);
  };
  return {
    takeOut,
    put(given) {
      const text = takeOut(given) ?? null;
      if (text === null) return block(TOML_BEGIN);
      if (text === "") return block(TOML_BEGIN).trimEnd();
      const made = text.endsWith("\n") ? `${text}${block(TOML_BEGIN)}` : `${text}\n${block(TOML_JOINED)}`;
      return isFine(text) && isFine(made) ? made : undefined;
    },
  };
}
