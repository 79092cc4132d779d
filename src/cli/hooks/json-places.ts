/** Where a value of a JSON text stands. */
export interface Place {
  readonly kind: "object" | "array" | "other";
  /** Where it begins; of a member, where its key begins. */
  readonly start: number;
  readonly end: number;
  /** Right after the opening bracket; of other values, where they begin. */
  readonly inside: number;
  readonly isEmpty: boolean;
  /** The members of an object. Of two with the same key it is the last, as for everybody who reads the file. */
  readonly members: ReadonlyMap<string, Place>;
  /** The elements of an array. */
  readonly elements: readonly Place[];
  /** What it says. */
  readonly value: unknown;
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
  const start = reader.at;
  if (take(reader, "{")) return objectPlace(reader, start, depth);
  if (take(reader, "[")) return arrayPlace(reader, start, depth);
  const said = match(reader, reader.text[start] === '"' ? STRING : OTHER);
  return {
    kind: "other",
    start,
    inside: start,
    end: reader.at,
    isEmpty: false,
    ...NOTHING_IN,
    value: JSON.parse(said),
  };
}

const NOTHING_IN = { members: new Map<string, Place>(), elements: [] } as const;

function objectPlace(reader: Reader, start: number, depth: number): Place {
  const inside = reader.at;
  const members = new Map<string, Place>();
  const isEmpty = container(reader, "}", () => {
    const keyStart = reader.at;
    const key = JSON.parse(match(reader, STRING)) as string;
    blank(reader);
    if (!take(reader, ":")) throw new Malformed("a colon is missing");
    members.set(key, { ...value(reader, depth + 1), start: keyStart });
  });
  const said = Object.fromEntries([...members].map(([key, place]) => [key, place.value]));
  return { kind: "object", start, inside, end: reader.at, isEmpty, ...NOTHING_IN, members, value: said };
}

function arrayPlace(reader: Reader, start: number, depth: number): Place {
  const inside = reader.at;
  const elements: Place[] = [];
  const isEmpty = container(reader, "]", () => void elements.push(value(reader, depth + 1)));
  const said = elements.map((place) => place.value);
  return { kind: "array", start, inside, end: reader.at, isEmpty, ...NOTHING_IN, elements, value: said };
}

/** Reads up to the closing bracket; true when there is nothing before it. */
function container(reader: Reader, close: string, member: () => void): boolean {
  for (let isEmpty = true; ; isEmpty = false) {
    blank(reader);
    if (take(reader, close)) return isEmpty;
    member();
    blank(reader);
    if (!take(reader, ",") && reader.text[reader.at] !== close) throw new Malformed("a comma is missing");
  }
}
