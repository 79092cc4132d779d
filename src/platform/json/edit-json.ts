import type { JsonArray, JsonNode, JsonObject } from "./parse-json.ts";

/** One replacement in a text: everything outside it stays as it is, byte by byte. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies replacements that do not overlap. */
export function splice(text: string, splices: readonly Splice[]): string {
  let result = "";
  let at = 0;
  for (const one of splices.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    result += text.slice(at, one.start) + one.text;
    at = one.end;
  }
  return result + text.slice(at);
}

/** Puts another value in the place of one. */
export const replaceValue = (text: string, node: JsonNode, value: unknown): Splice => ({
  start: node.start,
  end: node.end,
  text: render(text, value, indentAt(text, node.start)),
});

/** Adds a member behind the last one, laid out like its siblings. */
export function addMember(text: string, object: JsonObject, name: string, value: unknown): Splice {
  const last = object.members.at(-1);
  return add(
    text,
    object,
    last && { start: last.nameStart, end: last.value.end },
    (indent) => `${JSON.stringify(name)}:${gapOf(text, object)}${render(text, value, indent)}`,
  );
}

/** Adds an item behind the last one, laid out like its siblings. */
export function addItem(text: string, array: JsonArray, value: unknown): Splice {
  return add(text, array, array.items.at(-1), (indent) => render(text, value, indent));
}

/** Takes items out, with the commas that parted them from their neighbours. */
export function removeItems(
  { items, start, end }: JsonArray,
  isOut: (index: number) => boolean,
): readonly Splice[] {
  const splices: Splice[] = [];
  for (let first = 0; first < items.length; first += 1) {
    if (!isOut(first)) continue;
    let last = first;
    while (last + 1 < items.length && isOut(last + 1)) last += 1;
    const next = items[last + 1];
    if (first > 0) splices.push({ start: items[first - 1]!.end, end: items[last]!.end, text: "" });
    else if (next) splices.push({ start: items[0]!.start, end: next.start, text: "" });
    else splices.push({ start: start + 1, end: end - 1, text: "" });
    first = last;
  }
  return splices;
}

function add(
  text: string,
  container: JsonObject | JsonArray,
  last: { readonly start: number; readonly end: number } | undefined,
  rendered: (indent: string) => string,
): Splice {
  if (last) {
    const isBroken = text.slice(container.start, last.start).includes("\n");
    const indent = indentAt(text, last.start);
    const gap = isBroken ? newlineOf(text) + indent : " ";
    return { start: last.end, end: last.end, text: `,${gap}${rendered(indent)}` };
  }
  const outer = indentAt(text, container.start);
  const inner = outer + unitOf(text);
  const newline = newlineOf(text);
  return {
    start: container.start + 1,
    end: container.end - 1,
    text: `${newline}${inner}${rendered(inner)}${newline}${outer}`,
  };
}

/** A value in the layout of the file, for a place that stands at this indentation. */
function render(text: string, value: unknown, indent: string): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isFlat = !text.includes("\n");
  const rendered = JSON.stringify(value, null, isFlat ? undefined : unitOf(text));
  return rendered.replaceAll("\n", newlineOf(text) + indent);
}

export const newlineOf = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");

/** The blanks at the start of the line an offset stands in. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  let end = start;
  while (text[end] === " " || text[end] === "\t") end += 1;
  return text.slice(start, Math.min(end, offset));
}

/** What one level of indentation is: that of the first indented line. */
function unitOf(text: string): string {
  const [, unit = "  "] = /\n([ \t]+)\S/.exec(text.slice(0, 64 * 1024)) ?? [];
  return unit.length > 8 ? "  " : unit;
}

/** `"name": value` or `"name":value`, as the siblings have it. */
function gapOf(text: string, { members }: JsonObject): string {
  const [first] = members;
  if (!first) return " ";
  const colon = text.lastIndexOf(":", first.value.start);
  return text.slice(colon + 1, first.value.start).includes(" ") ? " " : "";
}
