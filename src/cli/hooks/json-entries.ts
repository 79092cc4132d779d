import { jsonSpans, type JsonSpan } from "./json-spans.ts";

/** Whether a value is an entry of ours. Programs print settings anew, with other blanks, another order, more members. */
export type IsOurs = (value: unknown) => boolean;

interface Found {
  readonly parent: JsonSpan;
  readonly span: JsonSpan;
}

export function spanAt(text: string, path: readonly string[]): JsonSpan | undefined {
  let span = jsonSpans(text);
  for (const key of path) span = span?.members.get(key);
  return span;
}

/** Whether an entry of ours stands there, however it is written. */
export const hasEntry = (text: string, path: readonly string[], isOurs: IsOurs): boolean =>
  firstSaid(text, path, isOurs) !== undefined;

/** Cuts out every entry of ours under a path, and what holds nothing any more because of it. */
export function cutEntries(given: string, path: readonly string[], isOurs: IsOurs): string {
  let text = given;
  for (;;) {
    const found = firstSaid(text, path, isOurs);
    if (found === undefined) return text;
    text = cut(text, found);
    for (let length = path.length; length > 0; length -= 1) {
      const parent = spanAt(text, path.slice(0, length - 1));
      const span = parent?.members.get(path[length - 1]!);
      if (parent && span?.isEmpty) text = cut(text, { parent, span });
    }
  }
}

function firstSaid(text: string, path: readonly string[], isOurs: IsOurs): Found | undefined {
  const parent = spanAt(text, path.slice(0, -1));
  const span = parent?.members.get(path.at(-1)!);
  return parent && span && firstUnder({ parent, span }, isOurs);
}

function firstUnder(found: Found, isOurs: IsOurs): Found | undefined {
  const { span } = found;
  if (isOurs(span.value)) return found;
  for (const inner of insidesOf(span)) {
    const deeper = firstUnder({ parent: span, span: inner }, isOurs);
    if (deeper) return deeper;
  }
  return undefined;
}

const insidesOf = ({ members, elements }: JsonSpan): readonly JsonSpan[] => [
  ...members.values(),
  ...elements,
];

/** With the comma behind it; where it is the last, with the one before it. */
function cut(text: string, { parent, span }: Found): string {
  const from = text.slice(0, span.start).trimEnd().length;
  const comma = commaAfter(text, span.end);
  if (comma !== undefined) return text.slice(0, from) + text.slice(span.end, comma) + text.slice(comma + 1);
  const before = insidesOf(parent).findLast(({ end }) => end <= span.start);
  const earlier = before && commaAfter(text, before.end);
  return earlier === undefined
    ? text.slice(0, from) + text.slice(span.end)
    : text.slice(0, earlier) + text.slice(earlier + 1, Math.max(from, earlier + 1)) + text.slice(span.end);
}

const BLANK_OR_COMMENT = /[ \t\r\n]+|\/\/[^\n]*|\/\*[^]*?\*\//y;

function commaAfter(text: string, from: number): number | undefined {
  let at = from;
  for (BLANK_OR_COMMENT.lastIndex = at; BLANK_OR_COMMENT.test(text);) at = BLANK_OR_COMMENT.lastIndex;
  return text[at] === "," ? at : undefined;
}
