import type { MarkdownDocument } from "../markdown/document.ts";

/** An entry of the list `todos` in front matter. */
export interface Todo {
  /** Counted from 0, as all lines here. */
  readonly line: number;
  readonly id: string | undefined;
  readonly content: string;
  readonly status:
    | { readonly value: string; readonly line: number; readonly start: number; readonly end: number }
    | undefined;
  /** Undefined where it says nothing about that. */
  readonly needs: readonly string[] | undefined;
}

const MOST_TODOS = 50_001;

/**
 * The todos of a plan: `- id: a` with `content`, `status` and `dependencies` below. No YAML reader: only the shape that Cursor
 * writes counts, and everything else of the front matter is passed over.
 */
export function todosIn({ lines, hidden }: MarkdownDocument): readonly Todo[] {
  if (lines[0]?.trimEnd() !== "---" || hidden[0] !== 1) return [];
  let line = 1;
  while (isFront(lines, hidden, line) && !/^todos:\s*$/.test(lines[line]!)) line += 1;
  if (!isFront(lines, hidden, line)) return [];
  const found: Todo[] = [];
  let indent: number | undefined;
  let first: number | undefined;
  const close = (end: number) => {
    const todo = first === undefined ? undefined : todoAt(lines, first, end);
    if (todo && found.length < MOST_TODOS) found.push(todo);
  };
  for (line += 1; isFront(lines, hidden, line); line += 1) {
    const text = lines[line]!;
    const [, blanks] = /^(\s*)-\s/.exec(text) ?? [];
    if (blanks === undefined && /^\S/.test(text)) break;
    if (blanks === undefined || (indent !== undefined && blanks.length > indent)) continue;
    indent ??= blanks.length;
    close(line);
    first = line;
  }
  close(line);
  return found;
}

const isFront = (lines: readonly string[], hidden: Uint8Array, line: number): boolean =>
  line < lines.length && hidden[line] === 1 && !/^(?:---|\.\.\.)\s*$/.test(lines[line]!);

/** `  - name: value` or `    name: value`. */
const FIELD = /^(\s*(?:-\s+)?)(id|content|status|dependencies):(?=\s|$)(\s*)/;

/** Undefined for an entry without words. */
function todoAt(lines: readonly string[], first: number, end: number): Todo | undefined {
  let id: string | undefined;
  let content = "";
  let status: Todo["status"];
  let needs: string[] | undefined;
  let open = "";
  for (let line = first; line < end; line += 1) {
    const text = lines[line]!;
    const [head, , name] = FIELD.exec(text.slice(0, 2000)) ?? [];
    if (head === undefined) {
      if (/^\s*(?:-\s+)?[A-Za-z_]\w{0,60}:(?:\s|$)/.test(text.slice(0, 200))) open = "";
      // A long text continues on the next line, and a list has one entry on each.
      else if (open === "content") content = `${content} ${text.trim()}`.trim();
      else if (open === "dependencies") needs?.push(bare(text.trim().replace(/^-\s*/, "")));
      continue;
    }
    const raw = text.slice(head.length).trimEnd();
    open = name!;
    if (name === "id") id = bare(raw) || undefined;
    else if (name === "content") content = /^[>|][+-]?$/.test(raw) ? "" : raw;
    else if (name === "dependencies") needs = inlineList(raw);
    else {
      const quotes = /^(["']).*\1$/.test(raw) ? 1 : 0;
      const start = head.length + quotes;
      status = { value: bare(raw), line, start, end: head.length + raw.length - quotes };
    }
  }
  const words = bare(content).trim();
  return words === "" && id === undefined
    ? undefined
    : {
        line: first,
        id,
        content: words || id!,
        status: status?.value ? status : undefined,
        needs: needs?.filter(Boolean),
      };
}

const bare = (text: string): string => {
  const [, , inside] = /^(["'])([^]*)\1$/.exec(text.trim()) ?? [];
  return inside === undefined ? text.trim() : inside.replaceAll('\\"', '"').replaceAll("''", "'");
};

const inlineList = (raw: string): string[] =>
  raw
    .replace(/^\[(.*)\]$/, "$1")
    .split(",")
    .map(bare)
    .filter(Boolean);
