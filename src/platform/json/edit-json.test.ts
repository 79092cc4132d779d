import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addItem, addMember, removeItems, replaceValue, splice } from "./edit-json.ts";
import { jsonDraft } from "./json-draft.ts";
import { arrayNode, objectNode, member, nodeValue } from "./json-members.ts";
import { parseJson } from "./parse-json.ts";

const edit = (
  text: string,
  change: (root: ReturnType<typeof objectNode> & object) => Parameters<typeof splice>[1][0],
) => splice(text, [change(objectNode(parseJson(text))!)]);

describe("an edit of JSON", () => {
  it("changes the value and nothing else", () => {
    const text = '{ "a" : 1,\r\n\t"status":"pending" , "z":[ ]}\r\n';
    expect(edit(text, (root) => replaceValue(text, member(root, "status")!, "completed"))).toBe(
      '{ "a" : 1,\r\n\t"status":"completed" , "z":[ ]}\r\n',
    );
  });

  it.each([
    ['{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "n": {\n    "x": []\n  }\n}\n'],
    ['{\r\n\t"a": 1\r\n}', '{\r\n\t"a": 1,\r\n\t"n": {\r\n\t\t"x": []\r\n\t}\r\n}'],
    ['{"a":1}', '{"a":1, "n":{"x":[]}}'],
  ])("adds a member to %j as its siblings stand", (text, after) => {
    expect(edit(text, (root) => addMember(text, root, "n", { x: [] }))).toBe(after);
  });

  it("adds to lists, also to empty ones", () => {
    const text = '{\n  "full": [\n    1\n  ],\n  "empty": []\n}';
    const list = (name: string) => edit(text, (root) => addItem(text, arrayNode(member(root, name))!, 2));
    expect(list("full")).toBe('{\n  "full": [\n    1,\n    2\n  ],\n  "empty": []\n}');
    expect(list("empty")).toBe('{\n  "full": [\n    1\n  ],\n  "empty": [\n    2\n  ]\n}');
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7])("takes items out with their commas (%i)", (pattern) => {
    const text = '{"list": [ "a",\n "b" , "c" ], "z": 1}';
    const isOut = (index: number) => (pattern & (1 << index)) > 0;
    const list = arrayNode(member(objectNode(parseJson(text))!, "list"))!;
    expect(JSON.parse(splice(text, removeItems(list, isOut)))).toEqual({
      list: ["a", "b", "c"].filter((_, index) => !isOut(index)),
      z: 1,
    });
  });

  it("means what it should in any layout", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom(undefined, 1, 2, 4, "\t"),
        fc.jsonValue(),
        (object, indent, value) => {
          const draft = jsonDraft(JSON.stringify({ ...object, list: [], status: "x" }, null, indent))!;
          draft.apply(replaceValue(draft.text, member(draft.root, "status")!, "y"));
          draft.apply(addItem(draft.text, arrayNode(member(draft.root, "list"))!, value));
          draft.apply(addItem(draft.text, arrayNode(member(draft.root, "list"))!, value));
          draft.apply(addMember(draft.text, draft.root, "a new name", value));
          const expected: unknown = JSON.parse(
            JSON.stringify({ ...object, list: [value, value], status: "y", "a new name": value }),
          );
          expect(nodeValue(draft.root)).toEqual(expected);
        },
      ),
    );
  });
});
