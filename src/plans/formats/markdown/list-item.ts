import type { PlanItem } from "../../../domain/index.ts";
import { isDigit } from "../is-digit.ts";
import { contentStart, indentOf, isSpaceOrTab } from "./indentation.ts";

export interface ListItem {
  /** Columns before the marker. */
  readonly indent: number;
  /** Where the content starts, behind marker and blanks. */
  readonly content: number;
}

/** `- `, `* `, `+ `, `1. `, `1) `, at any depth. */
export function listItemAt(line: string): ListItem | undefined {
  const start = contentStart(line);
  const marker = markerEnd(line, start);
  if (marker === undefined || !isSpaceOrTab(line.charCodeAt(marker))) return undefined;
  let content = marker;
  while (isSpaceOrTab(line.charCodeAt(content))) content += 1;
  return { indent: indentOf(line), content };
}

function markerEnd(line: string, start: number): number | undefined {
  const first = line[start];
  if (first === "-" || first === "*" || first === "+") return start + 1;
  let end = start;
  while (end - start < MOST_DIGITS && isDigit(line.charCodeAt(end))) end += 1;
  return end > start && (line[end] === "." || line[end] === ")") ? end + 1 : undefined;
}

const MOST_DIGITS = 9;

export interface Box {
  readonly indent: number;
  /** Where the `[` stands. */
  readonly at: number;
  readonly state: PlanItem["box"];
  readonly text: string;
}

export function boxAt(line: string): Box | undefined {
  const item = listItemAt(line);
  if (!item || line[item.content] !== "[" || line[item.content + 2] !== "]") return undefined;
  const state = BOX_STATES.get(line[item.content + 1] ?? "");
  const after = item.content + 3;
  if (state === undefined || (after < line.length && !isSpaceOrTab(line.charCodeAt(after)))) return undefined;
  return { indent: item.indent, at: item.content, state, text: line.slice(after).trim() };
}

const BOX_STATES: ReadonlyMap<string, PlanItem["box"]> = new Map([
  [" ", "open"],
  ["x", "ticked"],
  ["X", "ticked"],
  ["~", "deferred"],
  ["-", "dropped"],
]);

/**
 * A box that its author surely meant, although Markdown shows none: a blank is missing (`- [ ]words`, `-[ ] words`), or
 * the star of optional work stands behind it (`- [ ]* words`, `- [ ]\\* words`), or there is no list mark (`[ ] words`). A link (`[x](…)`) is none.
 */
export function looseBoxAt(
  line: string,
): (Box & { readonly isOptional: boolean; readonly isTight: boolean }) | undefined {
  const [whole, before, mark, star] = LOOSE_BOX.exec(line) ?? BARE_BOX.exec(line) ?? [];
  const found = BOX_STATES.get(mark ?? "");
  // Without a list mark, `[-]` is work in progress: so write the agents whose lists have none.
  const state = found === "dropped" && !/\S/.test(before ?? "") ? "open" : found;
  if (whole === undefined || before === undefined || state === undefined) return undefined;
  const text = line.slice(whole.length);
  const isOptional = star !== undefined;
  const isTight = !/[ \t]$/.test(before) || (text !== "" && !isSpaceOrTab(text.charCodeAt(0)));
  return { indent: indentOf(line), at: before.length, state, text: text.trim(), isOptional, isTight };
}

/** `[ ] words` without a list mark, as some agents write their lists. */
const BARE_BOX = /^([ \t]{0,12})\[([ xX~-])\](?=[ \t]+[^\s([:])/;

const LOOSE_BOX = /^([ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]*)\[([ xX~-])\](\\?\*(?=[ \t]|$))?(?![([:])/;

/**
 * Where something stands that its author surely took for a box: `[]`, `[  ]`, `[/]`, `[✓]`.
 *
 * Markdown shows no box there, so it is no item; but passing over it in silence would lose work.
 */
export function almostBoxAt(line: string): number | undefined {
  const item = listItemAt(line);
  if (!item || line[item.content] !== "[" || /^\[[ xX~-]\]/.test(line.slice(item.content))) return undefined;
  const [, inside] =
    /^\[( {0,3}|[^\p{L}\p{N}\s\]]{1,2}| [xX]| ?[xX] )\](?:[ \t]|$)/u.exec(
      line.slice(item.content, item.content + 6),
    ) ?? [];
  return inside === undefined ? undefined : item.content;
}
