import { arrayNode, objectNode, nodeValue } from "./json-members.ts";
import { MAX_DEPTH, type JsonNode, parseJson } from "./parse-json.ts";
import { positionsIn, type SourcePosition } from "./positions.ts";

/** A place in a JSON value: names and positions, from the outside in. */
export type JsonPath = readonly (string | number)[];

/** A JSON text as plain values, with positions computed only when they are needed. */
export interface QuickJson {
  readonly value: unknown;
  /** Whether some object has a name twice. */
  readonly hasDoubles: boolean;
  /** A number as it is written: `1.10` is not `1.1`. */
  readonly numberAt: (path: JsonPath, value: number) => string;
}

/** A text to be read, known by its identity: two files may hold the same. */
export interface JsonSource {
  readonly text: string;
}

/**
 * Reads JSON with the engine's own parser, which is many times faster than one that remembers places.
 *
 * Nearly every file is as it should be, and its positions are never needed. For one that is not, the text is
 * read a second time with `rootOf`, which throws `BadJson` for what is no JSON.
 */
export const quickJson = (source: JsonSource, rootOf: RootOf): QuickJson => new Quick(source, rootOf);

/** The whole of a text with places. */
export type RootOf = (source: JsonSource) => JsonNode;

/**
 * Reads texts with places, and keeps the last one.
 *
 * To keep them all would cost their memory, and to keep none would read a hostile file anew for each of its oddities.
 */
export function lastRoot(): RootOf {
  let last: { readonly source: JsonSource; readonly root: JsonNode } | undefined;
  return (source) => {
    if (last?.source === source) return last.root;
    // Given up first, so that there are never two.
    last = undefined;
    const root = parseJson(source.text, { mostValues: MOST_VALUES });
    last = { source, root };
    return root;
  };
}

/** More values than one file of a folder has; there may be many files, and the engine's parser knows no limit. */
const MOST_VALUES = 200_000;

/** Whether it could, by the marks that each value but one has before it; words in strings have some of them, too. */
function mayHoldTooMany(text: string): boolean {
  if (text.length <= 2 * MOST_VALUES) return false;
  let marks = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === COMMA || code === BRACKET || code === BRACE) marks += 1;
  }
  return marks >= MOST_VALUES;
}

const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACE = 0x7b;

class Quick implements QuickJson {
  readonly value: unknown;
  private readonly source: JsonSource;
  private readonly rootOf: RootOf;
  private readonly names: number;
  private odd: boolean | undefined;

  constructor(source: JsonSource, rootOf: RootOf) {
    this.source = source;
    this.rootOf = rootOf;
    // Before anything is made of it: so that a later question for a position cannot fail because there are too many.
    if (mayHoldTooMany(source.text)) rootOf(source);
    this.value = engineParse(source.text) ?? nodeValue(rootOf(source));
    this.names = countNames(this.value, 0);
    if (this.names < 0) rootOf(source);
  }

  get hasDoubles(): boolean {
    return !isOncePerName(this.source.text, this.names);
  }

  numberAt(path: JsonPath, value: number): string {
    if (Number.isSafeInteger(value) && !this.hasOddNumbers()) return String(value);
    const { start, end } = nodeAt(this.rootOf(this.source), path);
    return this.source.text.slice(start, end);
  }

  /** Looked up once: a file can be a list of a hundred thousand numbers. */
  private hasOddNumbers(): boolean {
    return (this.odd ??= ODD_NUMBER.test(this.source.text));
  }
}

/** A number with a fraction or an exponent, anywhere a value may stand. */
const ODD_NUMBER = /[:[,]\s*-?\d+[.eE]|-0/;

function engineParse(text: string): unknown {
  try {
    // A byte order mark is no part of the value.
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) as unknown;
  } catch {
    return undefined;
  }
}

/** Where something stands in a JSON text. Asked only to tell of something odd, except for where the text begins. */
export class JsonPositions implements JsonSource {
  readonly file: string;
  readonly text: string;
  private readonly rootOf: RootOf;
  private lines: ((offset: number) => SourcePosition) | undefined;

  constructor(file: string, text: string, rootOf: RootOf) {
    this.file = file;
    this.text = text;
    this.rootOf = rootOf;
  }

  /** Of a value. */
  of(path: JsonPath): SourcePosition {
    return this.at(path.length === 0 ? firstOf(this.text) : nodeAt(this.rootOf(this), path).start);
  }

  at(offset: number): SourcePosition {
    if (offset === 0) return { file: this.file, line: 1, column: 1 };
    this.lines ??= positionsIn(this.text);
    const { line, column } = this.lines(offset);
    return { file: this.file, line, column };
  }
}

function firstOf(text: string): number {
  let start = 0;
  while (isBlank(text.charCodeAt(start))) start += 1;
  return start;
}

const isBlank = (code: number): boolean =>
  code <= SPACE || (code > DELETE && /[\s\ufeff]/.test(String.fromCharCode(code)));

/** How many members all objects have together; below 0 for what is nested too deep. */
function countNames(value: unknown, depth: number): number {
  if (typeof value !== "object" || value === null) return 0;
  if (depth > MAX_DEPTH) return Number.NEGATIVE_INFINITY;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === "object") count += countNames(item, depth + 1);
    return count;
  }
  for (const name in value) {
    count += 1;
    const inside = (value as PlainObject)[name];
    if (typeof inside === "object") count += countNames(inside, depth + 1);
  }
  return count;
}

/**
 * Whether the text writes as many names as the value has.
 *
 * Each name ends in `":`, and more of these can only stand inside strings. So where there are no more than members, no
 * name was written twice; where there are, the slow reader must check.
 */
function isOncePerName(text: string, names: number): boolean {
  let found = 0;
  for (let at = text.indexOf(":"); at !== -1; at = text.indexOf(":", at + 1)) {
    const before = text.charCodeAt(at - 1);
    if (before === QUOTE) found += 1;
    // A name may be parted from its colon; so may words in a string.
    else if (before <= SPACE) return false;
  }
  return found === names;
}

const QUOTE = 0x22;

/** Every character that JSON counts as a space is at or below it. */
const SPACE = 0x20;

/** The last character of ASCII. */
const DELETE = 0x7f;

function nodeAt(root: JsonNode, path: JsonPath): JsonNode {
  let node = root;
  for (const part of path) {
    const next =
      typeof part === "number"
        ? arrayNode(node)?.items[part]
        : objectNode(node)?.members.findLast(({ name }) => name === part)?.value;
    if (!next) break;
    node = next;
  }
  return node;
}

export type PlainObject = Readonly<Record<string, unknown>>;

export const isPlainObject = (value: unknown): value is PlainObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value behind a name. For names that no object inherits; asking each time whether it is its own is slow. */
export const own = (object: PlainObject, name: string): unknown => object[name];

/** Text; undefined for everything else and for what is blank. No store keeps a NUL, so it gets a stand-in. */
export function plainText(value: unknown): string | undefined {
  if (typeof value !== "string" || !/\S/.test(value)) return undefined;
  return value.includes("\0") ? value.replaceAll("\0", "\ufffd") : value;
}

export const plainList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
