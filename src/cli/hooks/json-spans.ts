import { BadJson, type JsonNode, nodeValue, parseJson } from "../../platform/json/index.ts";

/** Where a value of a settings file stands. */
export interface JsonSpan {
  readonly kind: "object" | "array" | "other";
  /** Where it begins; of a member, where its key begins. */
  readonly start: number;
  readonly end: number;
  /** Right after the opening bracket; of other values, where they begin. */
  readonly inside: number;
  readonly isEmpty: boolean;
  /** The members of an object. Of two with the same key it is the last, as for everybody who reads the file. */
  readonly members: ReadonlyMap<string, JsonSpan>;
  /** The elements of an array. */
  readonly elements: readonly JsonSpan[];
  /** What it says. */
  readonly value: unknown;
}

/**
 * Finds the spans in a JSON text, so that it can be edited and keep every other byte.
 *
 * Comments and commas before a closing bracket are allowed, because some of the programs whose settings these are
 * allow them. Undefined when it is no JSON otherwise.
 */
export function jsonSpans(text: string): JsonSpan | undefined {
  try {
    return placeOf(parseJson(text, { isRelaxed: true }));
  } catch (error) {
    if (error instanceof BadJson) return undefined;
    throw error;
  }
}

function placeOf(node: JsonNode, start = node.start): JsonSpan {
  const members = node.type === "object" ? node.members : [];
  const elements = node.type === "array" ? node.items : [];
  const isContainer = node.type === "object" || node.type === "array";
  return {
    kind: isContainer ? node.type : "other",
    start,
    end: node.end,
    inside: isContainer ? node.start + 1 : node.start,
    isEmpty: isContainer && members.length + elements.length === 0,
    members: new Map(members.map(({ name, nameStart, value }) => [name, placeOf(value, nameStart)])),
    elements: elements.map((element) => placeOf(element)),
    value: nodeValue(node),
  };
}
