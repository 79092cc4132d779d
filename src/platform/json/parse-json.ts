/** A JSON value with the place it has in its text, so that it can be pointed at and replaced. */
export type JsonNode = JsonObject | JsonArray | JsonScalar;

interface Span {
  /** Offset of the first character. */
  readonly start: number;
  /** Offset behind the last character. */
  readonly end: number;
}

export interface JsonObject extends Span {
  readonly type: "object";
  /** In the order of the file; a name may come twice. */
  readonly members: readonly JsonMember[];
}

export interface JsonMember {
  readonly name: string;
  readonly nameStart: number;
  readonly value: JsonNode;
}

export interface JsonArray extends Span {
  readonly type: "array";
  readonly items: readonly JsonNode[];
}

interface Scalar<Type extends string, Value> extends Span {
  readonly type: Type;
  readonly value: Value;
}

export type JsonScalar =
  | Scalar<"string", string>
  | Scalar<"number", number>
  | Scalar<"boolean", boolean>
  | Scalar<"null", null>;

/** Why a text is no JSON, and where. */
export class BadJson extends Error {
  override readonly name = "BadJson";
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** More values than any plan has; each of them costs a hundred bytes of memory. */
const MAX_VALUES = 500_000;

/** Deeper than any plan, and far from the depth at which a recursive program falls over. */
export const MAX_DEPTH = 200;

export interface JsonDialect {
  readonly mostValues?: number;
  /** Allows comments, and commas before a closing mark: the settings of some programs have them. */
  readonly isRelaxed?: boolean;
}

/**
 * Reads JSON and remembers where everything stands.
 *
 * `JSON.parse` gives values without places, forgets the order and the doubles of names, and makes objects whose
 * `__proto__` is a trap. Here an object is a list of members and nothing else.
 */
export function parseJson(text: string, dialect: JsonDialect = {}): JsonNode {
  const reader = new Reader(text, dialect);
  const node = reader.value(0);
  reader.skipBlanks();
  if (reader.at < text.length) throw new BadJson("something stands behind the end of the value", reader.at);
  return node;
}

/** Reads JSON Lines, one value on each line that is not blank, as one list. */
export function parseJsonLines(text: string): JsonArray {
  const reader = new Reader(text, {});
  const items: JsonNode[] = [];
  for (;;) {
    const behind = reader.at;
    reader.skipBlanks();
    if (reader.at >= text.length) return { type: "array", items, start: 0, end: text.length };
    const lineEnd = text.indexOf("\n", behind);
    if (items.length > 0 && (lineEnd === -1 || lineEnd >= reader.at))
      throw new BadJson("something stands behind the value on its line", reader.at);
    items.push(reader.value(0));
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const SLASH = 0x2f;
const BACKSLASH = 0x5c;

class Reader {
  readonly text: string;
  at: number;
  private readonly most: number;
  private readonly isRelaxed: boolean;
  private left: number;
  /** Where the next character is that no plain string holds; searched for again only behind it. */
  private special = -1;
  /** By depth, the plain names of the object read last there: records in a list mostly have the same. */
  private readonly lastNames: string[][] = [];

  constructor(text: string, { mostValues = MAX_VALUES, isRelaxed = false }: JsonDialect) {
    this.text = text;
    this.most = mostValues;
    this.left = mostValues;
    this.isRelaxed = isRelaxed;
    // A byte order mark is no part of the value, but it keeps its place.
    this.at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  }

  skipBlanks(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) this.at += 1;
      else if (code !== SLASH || !this.isRelaxed || !this.skipComment()) return;
    }
  }

  private skipComment(): boolean {
    COMMENT.lastIndex = this.at;
    const [comment] = COMMENT.exec(this.text) ?? [];
    this.at += comment?.length ?? 0;
    return comment !== undefined;
  }

  value(depth: number): JsonNode {
    this.skipBlanks();
    this.left -= 1;
    if (this.left < 0) throw new BadJson(`it holds more than ${this.most} values`, this.at);
    const code = this.text.charCodeAt(this.at);
    if (code === 0x7b || code === 0x5b) {
      if (depth >= MAX_DEPTH) throw new BadJson(`it is nested more than ${MAX_DEPTH} deep`, this.at);
      return code === 0x7b ? this.object(depth) : this.array(depth);
    }
    const start = this.at;
    if (code === QUOTE) {
      const value = this.string();
      return { type: "string", value, start, end: this.at };
    }
    return this.literal(start);
  }

  private object(depth: number): JsonObject {
    const start = this.at;
    const members: JsonMember[] = [];
    const lastNames = (this.lastNames[depth] ??= []);
    this.at += 1;
    for (;;) {
      this.skipBlanks();
      const code = this.text.charCodeAt(this.at);
      if (code === 0x7d && (members.length === 0 || this.isRelaxed)) break;
      if (code !== QUOTE) throw this.unexpected("the name of a member in quotes");
      const nameStart = this.at;
      const name = this.name(lastNames, members.length);
      this.skipBlanks();
      if (this.text.charCodeAt(this.at) !== 0x3a) throw this.unexpected("a colon");
      this.at += 1;
      members.push({ name, nameStart, value: this.value(depth + 1) });
      if (this.endsAfter(0x7d, "a comma or a closing brace")) break;
    }
    this.at += 1;
    return { type: "object", members, start, end: this.at };
  }

  private array(depth: number): JsonArray {
    const start = this.at;
    const items: JsonNode[] = [];
    this.at += 1;
    for (;;) {
      this.skipBlanks();
      if (this.text.charCodeAt(this.at) === 0x5d && (items.length === 0 || this.isRelaxed)) break;
      items.push(this.value(depth + 1));
      if (this.endsAfter(0x5d, "a comma or a closing bracket")) break;
    }
    this.at += 1;
    return { type: "array", items, start, end: this.at };
  }

  /** Behind an element: true at the closing mark, false when a comma was passed. */
  private endsAfter(mark: number, expected: string): boolean {
    this.skipBlanks();
    const code = this.text.charCodeAt(this.at);
    if (code === mark) return true;
    if (code !== COMMA) throw this.unexpected(expected);
    this.at += 1;
    return false;
  }

  /** A name that the object before it has in the same place is not cut out of the text again. */
  private name(lastNames: string[], index: number): string {
    const { text } = this;
    const expected = lastNames[index];
    if (expected !== undefined) {
      const end = this.at + 1 + expected.length;
      if (text.charCodeAt(end) === QUOTE && text.startsWith(expected, this.at + 1)) {
        this.at = end + 1;
        return expected;
      }
    }
    const start = this.at;
    const name = this.string();
    // One with an escape is written in more characters than it has.
    if (this.at === start + name.length + 2) lastNames[index] = name;
    return name;
  }

  private string(): string {
    const { text } = this;
    const start = this.at;
    // Most strings hold nothing special, and jumping to their end is many times faster than walking there.
    const quote = text.indexOf('"', start + 1);
    if (quote === -1 || this.nextSpecial(start + 1) < quote) return this.oddString(start);
    this.at = quote + 1;
    return text.slice(start + 1, quote);
  }

  private nextSpecial(from: number): number {
    if (this.special < from) {
      SPECIAL.lastIndex = from;
      this.special = SPECIAL.test(this.text) ? SPECIAL.lastIndex - 1 : this.text.length;
    }
    return this.special;
  }

  private oddString(start: number): string {
    const { text } = this;
    let at = start + 1;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) break;
      if (code === BACKSLASH) at += 2;
      else if (code >= 0x20) at += 1;
      else if (at >= text.length) throw new BadJson("a string is not closed", start);
      else throw new BadJson("a string goes over the end of its line, or holds a control character", at);
    }
    this.at = at + 1;
    try {
      return JSON.parse(text.slice(start, at + 1)) as string;
    } catch {
      throw new BadJson("a string holds an escape that JSON does not know", start);
    }
  }

  private literal(start: number): JsonScalar {
    LITERAL.lastIndex = start;
    const [word] = LITERAL.exec(this.text) ?? [];
    if (word === undefined) throw this.unexpected("a value");
    this.at = start + word.length;
    const end = this.at;
    if (word === "true" || word === "false") return { type: "boolean", value: word === "true", start, end };
    if (word === "null") return { type: "null", value: null, start, end };
    return { type: "number", value: Number(word), start, end };
  }

  private unexpected(expected: string): BadJson {
    if (this.at >= this.text.length) return new BadJson(`it ends where ${expected} should stand`, this.at);
    return new BadJson(`${expected} should stand here`, this.at);
  }
}

const COMMENT = /\/\/[^\n]*|\/\*[^]*?\*\//y;

const SPECIAL = /[\\\u0000-\u001f]/g;

const LITERAL = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)(?![\w.])/y;
