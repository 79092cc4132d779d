/** Where a value of a JSON text stands. */
export interface Place {
  readonly kind: "object" | "array" | "other";
  /** Right after the opening bracket; of other values, where they begin. */
  readonly inside: number;
  readonly isEmpty: boolean;
  /** The members of an object. */
  readonly members: ReadonlyMap<string, Place>;
}

const DEEPEST = 64;

/**
 * Finds the places in a JSON text without making values of it, so that it can be edited and keep every other byte.
 *
 * Comments and commas before a closing bracket are allowed, because some of the programs whose settings these are
 * allow them. Undefined when it is no JSON otherwise.
 */
export function jsonPlaces(text: string): Place | undefined {
  const reader = { text, at: text.startsWith("\ufeff") ? 1 : 0 };
  try {
    const place = value(reader, 0);
    blank(reader);
    return reader.at === text.length ? place : undefined;
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

class Malformed extends Error {}

interface Reader {
  readonly text: string;
  at: number;
}

const BLANK = /(?:[ \t\r\n]+|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*"/y;
const OTHER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

function match(reader: Reader, pattern: RegExp): string {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0];
  if (found === undefined) throw new Malformed("not here");
  reader.at += found.length;
  return found;
}

const blank = (reader: Reader): string => match(reader, BLANK);

function take(reader: Reader, sign: string): boolean {
  if (reader.text[reader.at] !== sign) return false;
  reader.at += 1;
  return true;
}

function value(reader: Reader, depth: number): Place {
  blank(reader);
  if (depth > DEEPEST) throw new Malformed("too deep");
  const members = new Map<string, Place>();
  const start = reader.at;
  if (take(reader, "{"))
    return container(reader, "object", "}", members, () => {
      const key = JSON.parse(match(reader, STRING)) as string;
      blank(reader);
      if (!take(reader, ":")) throw new Malformed("a colon is missing");
      members.set(key, value(reader, depth + 1));
    });
  if (take(reader, "[")) return container(reader, "array", "]", members, () => void value(reader, depth + 1));
  match(reader, reader.text[start] === '"' ? STRING : OTHER);
  return { kind: "other", inside: start, isEmpty: false, members };
}

function container(
  reader: Reader,
  kind: "object" | "array",
  close: string,
  members: ReadonlyMap<string, Place>,
  member: () => void,
): Place {
  const inside = reader.at;
  let isEmpty = true;
  for (;;) {
    blank(reader);
    if (take(reader, close)) return { kind, inside, isEmpty, members };
    member();
    isEmpty = false;
    blank(reader);
    if (!take(reader, ",") && reader.text[reader.at] !== close) throw new Malformed("a comma is missing");
  }
}
