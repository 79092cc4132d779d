import { contentStart, indentOf, isSpaceOrTab } from "./indentation.ts";

export interface Heading {
  readonly level: number;
  /** Without hashes, anchor and trailing comment. */
  readonly text: string;
  /** What stands in `{#…}`, as it stands there. */
  readonly anchor: string | undefined;
  /** Offset of the anchor in the line, of the text when it has none. */
  readonly at: number;
}

/** An ATX heading: at most three columns in, one to six hashes, then a blank or the end. */
export function headingAt(line: string): Heading | undefined {
  const start = contentStart(line);
  if (line[start] !== "#" || indentOf(line) > 3) return undefined;
  let end = start;
  while (line[end] === "#") end += 1;
  const level = end - start;
  if (level > 6 || (end < line.length && !isSpaceOrTab(line.charCodeAt(end)))) return undefined;
  return { level, ...splitAnchor(line, end) };
}

/** The last `{#…}` is the anchor; a tick or a remark may follow it. */
function splitAnchor(line: string, from: number): Omit<Heading, "level"> {
  const end = withoutComment(line);
  const open = line.lastIndexOf("{#", end);
  const close = open < from ? -1 : line.indexOf("}", open);
  if (close === -1 || close > end) {
    return { text: trimHeading(line.slice(from, end)), anchor: undefined, at: from + 1 };
  }
  const text = `${line.slice(from, open).trimEnd()} ${line.slice(close + 1, end).trimStart()}`;
  return { text: trimHeading(text), anchor: line.slice(open + 2, close), at: open };
}

/** Where the heading ends when a comment closes it. */
function withoutComment(line: string): number {
  const open = line.lastIndexOf("<!--");
  return open !== -1 && line.trimEnd().endsWith("-->") ? open : line.length;
}

/** `# Title #` is `Title`; `# C#` is `C#`. */
function trimHeading(text: string): string {
  const trimmed = text.trim();
  let end = trimmed.length;
  while (trimmed[end - 1] === "#") end -= 1;
  return end === 0 || isSpaceOrTab(trimmed.charCodeAt(end - 1)) ? trimmed.slice(0, end).trimEnd() : trimmed;
}
