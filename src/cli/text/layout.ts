import { OWN_SEQUENCES } from "./paint.ts";
import { safeText } from "../../domain/index.ts";

/**
 * How many terminal columns a line takes. Colours take none.
 *
 * Terminals disagree about some characters; this follows Unicode, as the newer ones do: East Asian wide characters
 * and emoji take two columns, marks none, and what looks like one character counts once.
 */
export function displayWidth(text: string): number {
  if (NARROW.test(text)) return text.length;
  let width = 0;
  for (const cluster of clusters(text.replace(PAINT, ""))) width += clusterWidth(cluster);
  return width;
}

/**
 * Cuts text to `width` columns between characters, never inside one. Cut first, paint after.
 *
 * The text is made safe before it is measured: a control character takes no column, but its stand-in takes one.
 */
export function truncate(text: string, width: number): string {
  const safe = safeText(text);
  if (safe.length <= width && NARROW.test(safe)) return safe;
  if (width < 1) return "";
  let kept = "";
  let taken = 0;
  let rest = "";
  for (const cluster of clusters(safe)) {
    taken += clusterWidth(cluster);
    if (taken > width) return `${kept}…`;
    if (taken < width && rest === "") kept += cluster;
    else rest += cluster;
  }
  return kept + rest;
}

/**
 * Shortens a name to `width` columns by its middle: the beginning says what it is about, and the end tells it from its
 * neighbours. Shorten first, paint after. What people copy is never shortened.
 */
export function shorten(name: string, width: number): string {
  const safe = safeText(name);
  if (displayWidth(safe) <= width) return safe;
  if (width < 5) return truncate(safe, width);
  const parts = [...clusters(safe)];
  const tail = Math.floor((width - 1) / 2);
  let end = "";
  for (let index = parts.length - 1; index >= 0; index -= 1) {
    if (displayWidth(parts[index]! + end) > tail) break;
    end = parts[index]! + end;
  }
  return truncate(safe, width - displayWidth(end)) + end;
}

/** Breaks plain text at spaces, and words that are wider, into lines of at most `width` columns; line ends stay. */
export function wrap(text: string, width: number, { breakWords = true } = {}): readonly string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, Math.max(width, 2), breakWords));
}

function wrapLine(text: string, width: number, breakWords: boolean): readonly string[] {
  const lines: string[] = [];
  let line = "";
  let taken = 0;
  for (const word of text.split(" ").filter((part) => part !== "")) {
    const pieces = breakWords && displayWidth(word) > width ? breakWord(word, width) : [word];
    for (const piece of pieces) {
      const size = displayWidth(piece);
      if (line !== "" && taken + 1 + size > width) {
        lines.push(line);
        line = "";
        taken = 0;
      }
      taken += size + (line === "" ? 0 : 1);
      line += line === "" ? piece : ` ${piece}`;
    }
  }
  return [...lines, line];
}

/** A word that is wider than a line, in pieces that are not. */
function breakWord(word: string, width: number): readonly string[] {
  const pieces: string[] = [];
  let piece = "";
  let taken = 0;
  for (const cluster of clusters(word)) {
    const size = clusterWidth(cluster);
    if (piece !== "" && taken + size > width) {
      pieces.push(piece);
      piece = "";
      taken = 0;
    }
    piece += cluster;
    taken += size;
  }
  return [...pieces, piece];
}

/** Rows of cells, each column as wide as its widest cell. Cells may be painted; no line ends in spaces. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries())
      widths[index] = Math.max(widths[index] ?? 0, displayWidth(cell));
  }
  return rows
    .map((row) =>
      row
        .map((cell, index) => padEnd(cell, widths[index] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/**
 * Rows as `columns` gives them where they fit; else each takes two lines, what tells it from the others on the first.
 *
 * A terminal breaks a line that is too wide in the middle of a word, and no column stands below its name any more.
 */
export function foldedColumns(
  heads: readonly (readonly string[])[],
  tails: readonly (readonly string[])[],
  width: number,
): string {
  const wide = columns(heads.map((head, index) => [...head, ...(tails[index] ?? [])]));
  if (wide.split("\n").every((line) => displayWidth(line) <= width)) return wide;
  const below = columns(tails).split("\n");
  return columns(heads)
    .split("\n")
    .flatMap((line, index) => (below[index] ? [line, `    ${below[index]}`] : [line]))
    .join("\n");
}

export const padEnd = (text: string, width: number): string =>
  text + " ".repeat(Math.max(0, width - displayWidth(text)));

/**
 * A progress bar of `width` cells: `[####------]`.
 *
 * It is full only when all is done and empty only when nothing is, so a rounded bar never claims either.
 */
export function bar(done: number, total: number, width: number): string {
  const share = done > 0 && total > 0 ? Math.min(done / total, 1) : 0;
  const rounded = Math.max(Math.min(Math.max(Math.round(share * width), 1), width - 1), 0);
  const filled = share === 0 ? 0 : share === 1 ? width : rounded;
  return `[${"#".repeat(filled)}${"-".repeat(width - filled)}]`;
}

const PAINT = new RegExp(OWN_SEQUENCES, "g");

// One column per code unit, for certain: no marks, nothing wide, no surrogates. Spares most text the segmenter.
const NARROW = /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u2010-\u2027\u2030-\u203b\ufffd]*$/;

function clusterWidth(cluster: string): number {
  const { twoColumns, noColumn, wide } = unicode();
  if (twoColumns.test(cluster)) return 2;
  let width = 0;
  for (const character of cluster) width += noColumn.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return width;
}

function* clusters(text: string): Generator<string> {
  for (const { segment } of unicode().segmenter.segment(text)) yield segment;
}

/** Made on first use, and from text: the Unicode tables take a millisecond to load, and most text needs none of them. */
const unicode = (): Unicode =>
  (madeUnicode ??= {
    segmenter: new Intl.Segmenter("en", { granularity: "grapheme" }),
    twoColumns: new RegExp(String.raw`\p{Emoji_Presentation}|\p{Emoji}\ufe0f`, "u"),
    // The vowels and final consonants of Korean stand within the width of the consonant before them.
    noColumn: new RegExp(String.raw`^[\p{M}\p{Cc}\p{Cf}\p{DI}\u1160-\u11ff\ud7b0-\ud7ff]$`, "u"),
    wide: new RegExp(`^[${WIDE}]$`, "u"),
  });

interface Unicode {
  readonly segmenter: Intl.Segmenter;
  readonly twoColumns: RegExp;
  readonly noColumn: RegExp;
  readonly wide: RegExp;
}

let madeUnicode: Unicode | undefined;

// East Asian Width W and F of Unicode 17 without emoji, joined across unassigned code points.
const WIDE = String.raw`\u1100-\u115f\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u303e\u3041-\u3247\u3250-\ua4c6\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{1b2fb}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}`;
