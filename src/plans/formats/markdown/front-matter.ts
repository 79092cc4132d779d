import type { MarkdownDocument } from "./document.ts";

/** A field of front matter: `name: value`, or a list in brackets or on lines of its own. */
export interface FrontField {
  /** Counted from 0. */
  readonly line: number;
  /** Where the value stands in its line. */
  readonly start: number;
  readonly end: number;
  readonly value: string;
  readonly list: readonly string[];
}

const MOST_FIELDS = 500;

/** The simple fields of front matter, by name; what is nested deeper is passed over. */
export function frontMatter({ lines, hidden }: MarkdownDocument): ReadonlyMap<string, FrontField> {
  const fields = new Map<string, FrontField>();
  if (lines[0]?.trimEnd() !== "---" || hidden[0] !== 1) return fields;
  for (let line = 1; line < lines.length && hidden[line] === 1 && fields.size < MOST_FIELDS; line += 1) {
    const text = lines[line]!;
    if (/^(?:---|\.\.\.)\s*$/.test(text)) break;
    const [head, name] = /^([A-Za-z_][\w-]{0,60}):(?=\s|$)\s*/.exec(text.slice(0, 2000)) ?? [];
    if (head === undefined || name === undefined || fields.has(name)) continue;
    const raw = text.slice(head.length).trimEnd();
    const quoted = /^(["'])(.*)\1$/.exec(raw);
    const start = head.length + (quoted ? 1 : 0);
    const value = quoted?.[2] ?? raw;
    fields.set(name, { line, start, end: start + value.length, value, list: listAt(lines, line, raw) });
  }
  return fields;
}

const bare = (text: string): string => text.trim().replace(/^(["'])(.*)\1$/, "$2");

function listAt(lines: readonly string[], line: number, raw: string): readonly string[] {
  const [, inside] = /^\[(.*)\]$/.exec(raw) ?? [];
  if (inside !== undefined) return inside.split(",").map(bare).filter(Boolean).slice(0, 1000);
  if (raw !== "") return [bare(raw)];
  const found: string[] = [];
  for (let at = line + 1; at < lines.length && found.length < 1000; at += 1) {
    const [, item] = /^\s*-\s+(.*)$/s.exec(lines[at]!) ?? [];
    if (item === undefined) break;
    found.push(bare(item));
  }
  return found;
}
