import type { JsonArray, JsonNode, JsonObject } from "./parse-json.ts";

/** The value behind a name; of doubles the last, as everywhere. Where there is no object, there is no value. */
export function member(node: JsonObject | undefined, name: string): JsonNode | undefined {
  if (node === undefined) return undefined;
  for (let index = node.members.length - 1; index >= 0; index -= 1) {
    const one = node.members[index]!;
    if (one.name === name) return one.value;
  }
  return undefined;
}

/** The first of several spellings of a name that is there with a value. */
export function firstMember(node: JsonObject, names: readonly string[]): JsonNode | undefined {
  for (const name of names) {
    const value = member(node, name);
    if (value !== undefined && value.type !== "null") return value;
  }
  return undefined;
}

export const objectNode = (node: JsonNode | undefined): JsonObject | undefined =>
  node?.type === "object" ? node : undefined;

export const arrayNode = (node: JsonNode | undefined): JsonArray | undefined =>
  node?.type === "array" ? node : undefined;

/** Text; undefined for everything else and for what is blank. No store keeps a NUL, so it gets a stand-in. */
export function nodeText(node: JsonNode | undefined): string | undefined {
  if (node?.type !== "string") return undefined;
  const text = node.value;
  if (!/\S/.test(text)) return undefined;
  return text.includes("\0") ? text.replaceAll("\0", "\ufffd") : text;
}

/** An id: text, or a number as it is written in the file, because `1.10` is not `1.1`. */
export function nodeId(node: JsonNode | undefined, text: string): string | undefined {
  return node?.type === "number" ? text.slice(node.start, node.end) : nodeText(node)?.trim();
}

/** The node as a plain value, for showing. Members are defined, never assigned, so `__proto__` is a name like another. */
export function nodeValue(node: JsonNode): unknown {
  if (node.type === "object")
    return Object.fromEntries(node.members.map(({ name, value }) => [name, nodeValue(value)]));
  return node.type === "array" ? node.items.map(nodeValue) : node.value;
}
