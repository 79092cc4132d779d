import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nodeValue } from "./json-members.ts";
import { BadJson, MAX_DEPTH, parseJson, parseJsonLines } from "./parse-json.ts";

const failureOf = (text: string): BadJson => {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof BadJson) return error;
    throw error;
  }
  throw new Error(`${text} was accepted`);
};

const accepts = (parse: (text: string) => unknown, text: string): boolean => {
  try {
    parse(text);
    return true;
  } catch (error) {
    if (error instanceof BadJson || error instanceof SyntaxError) return false;
    throw error;
  }
};

describe("JSON with places", () => {
  it("has the values that JSON.parse has, in any layout", () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 2, "\t"), (text, indent) => {
        const value: unknown = JSON.parse(text);
        expect(nodeValue(parseJson(JSON.stringify(value, null, indent)))).toEqual(value);
      }),
    );
  });

  it("accepts and refuses what JSON.parse does, whatever is broken", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.string({ maxLength: 3 }), (text, at, put) => {
        const cut = at % (text.length + 1);
        const broken = text.slice(0, cut) + put + text.slice(cut + 1);
        expect(accepts(parseJson, broken)).toBe(accepts(JSON.parse, broken));
      }),
      { numRuns: 2000 },
    );
  });

  it("reads records whose names are alike, with and without escapes, as JSON.parse does", () => {
    const names = fc.constantFrom("a", "ab", "\\", '"', "a\\", "\u0001", "é", "__proto__", "");
    fc.assert(
      fc.property(fc.array(fc.dictionary(names, fc.json(), { maxKeys: 4 }), { maxLength: 6 }), (records) => {
        expect(nodeValue(parseJson(JSON.stringify(records)))).toEqual(JSON.parse(JSON.stringify(records)));
      }),
    );
  });

  it("refuses a control character in a name that the record before has as an escape", () => {
    expect(failureOf('[{"\\u0001": 1}, {"\u0001": 1}]').message).toContain("control character");
  });

  it("says where every value stands", () => {
    const text = '{"a": [1, "b"], "c": {"d": null}}';
    const root = parseJson(text);
    const spans: string[] = [];
    const walk = (node: ReturnType<typeof parseJson>) => {
      spans.push(text.slice(node.start, node.end));
      if (node.type === "array") node.items.forEach(walk);
      if (node.type === "object") node.members.forEach(({ value }) => walk(value));
    };
    walk(root);
    expect(spans).toEqual([text, '[1, "b"]', "1", '"b"', '{"d": null}', "null"]);
  });

  it("keeps a name that comes twice, and one that other programs trip over", () => {
    const root = parseJson('{"__proto__": {"polluted": 1}, "a": 1, "a": 2}');
    expect(root.type === "object" && root.members.map(({ name }) => name)).toEqual(["__proto__", "a", "a"]);
    expect(Object.hasOwn(nodeValue(root) as object, "__proto__")).toBe(true);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it.each([
    ["", 0, "it ends where a value should stand"],
    ["{", 1, "it ends where the name of a member in quotes should stand"],
    ['{"a" 1}', 5, "a colon should stand here"],
    ["[1 2]", 3, "a comma or a closing bracket should stand here"],
    ['{"a": 1', 7, "it ends where a comma or a closing brace should stand"],
    ["[1,]", 3, "a value should stand here"],
    ['{"a": 1,}', 8, "the name of a member in quotes should stand here"],
    ['["a]', 1, "a string is not closed"],
    ['["a\nb"]', 3, "a string goes over the end of its line, or holds a control character"],
    ['["\\x"]', 1, "a string holds an escape that JSON does not know"],
    ["1 2", 2, "something stands behind the end of the value"],
    ["<<<<<<< HEAD\n{}", 0, "a value should stand here"],
    ["module.exports = {}", 0, "a value should stand here"],
    ["[01]", 1, "a value should stand here"],
  ])("refuses %j at %i: %s", (text, offset, message) => {
    expect(failureOf(text)).toMatchObject({ offset, message });
  });

  it("goes only so deep, and says so", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(parseJson(nested(MAX_DEPTH)).type).toBe("array");
    expect(failureOf(nested(MAX_DEPTH + 1))).toMatchObject({ offset: MAX_DEPTH });
    expect(failureOf("[".repeat(5_000_000)).offset).toBe(MAX_DEPTH);
  });

  it("reads one value on each line, where it stands, and passes over blank lines", () => {
    const text = '\ufeff{"a": 1}\r\n\n  [2]\n3';
    const { items } = parseJsonLines(text);
    expect(items.map(nodeValue)).toEqual([{ a: 1 }, [2], 3]);
    expect(items.map(({ start, end }) => text.slice(start, end))).toEqual(['{"a": 1}', "[2]", "3"]);
    expect(parseJsonLines("\n").items).toEqual([]);
  });

  it.each([
    ['{"a": 1} {"b": 2}\n', 9],
    ['{"a": 1}\n{"b": 2}, \n', 17],
    ["1\n<<<<<<< HEAD\n2\n", 2],
  ])("refuses %j as lines of JSON at %i", (text, offset) => {
    expect(() => parseJsonLines(text)).toThrow(expect.objectContaining({ name: "BadJson", offset }));
  });

  it("passes over a byte order mark and counts it", () => {
    expect(parseJson("\ufeff[]")).toMatchObject({ start: 1, end: 3 });
  });
});
